package mdplan

import (
	"strings"
	"unicode/utf8"
)

// checkBytes reports what is no text, once for each line.
func checkBytes(c *checker) {
	if utf8.ValidString(c.text) && strings.IndexByte(c.text, 0) < 0 {
		return
	}
	at := 0
	for line := range strings.Lines(c.text) {
		if i := strings.IndexByte(line, 0); i >= 0 {
			c.warn(at+i, "nul", "a NUL character stands here, which most editors hide; delete it")
		}
		if !utf8.ValidString(line) {
			for i, r := range line {
				if _, size := utf8.DecodeRuneInString(line[i:]); r == utf8.RuneError && size == 1 {
					c.warn(at+i, "utf-8", "byte 0x%02x is not UTF-8 and is shown as \"\uFFFD\"; save the file as UTF-8", line[i])
					break
				}
			}
		}
		at += len(line)
	}
}
