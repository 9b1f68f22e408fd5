module github.com/todomd/todomd

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	github.com/spf13/pflag v1.1.0
	github.com/yuin/goldmark v1.8.7
	golang.org/x/sys v0.50.0
)

require (
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.26.0 // indirect
)
