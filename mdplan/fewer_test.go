package mdplan

import (
	"runtime/debug"
	"slices"
	"sync"
	"testing"
)

// fewer reports whether a test of many rounds should do fewer: on demand, and
// under the race detector, which makes them several times slower and does not
// look at what other processes do.
func fewer() bool { return testing.Short() || raceDetector() }

var raceDetector = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
})
