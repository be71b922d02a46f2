package mjq

import (
	"github.com/mjqueue/mjq/mjq/internal/tests/oracle"
	"testing"
)

// TestDevicesSaysWhatIsMissing: either there are devices, or the error tells a
// user what to do.
func TestDevicesSaysWhatIsMissing(t *testing.T) {
	devices, err := Devices()
	if err != nil {
		oracle.Mention(t, err, "mjq:")
		return
	}
	for _, d := range devices {
		if d.Name == "" || d.Memory <= 0 {
			t.Errorf("device %+v", d)
		}
	}
}
