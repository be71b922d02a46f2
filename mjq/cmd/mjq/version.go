package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/mjqueue/mjq/mjq/result"
)

// versionCommand says which version of the module this is; results name it as well.
func versionCommand(s streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, which results name too",
		Example: "mjq version",
		Args:    noFile,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.out, "mjq", result.Version)
			return err
		},
	}
}
