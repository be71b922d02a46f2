// Package palette holds the colours by which classes of jobs and idle servers are told
// apart, in plots and in pictures of other kinds alike.
package palette

import "image/color"

// Colors are those of Okabe and Ito, made to be told apart with any colour vision;
// yellow is left out for it is too faint for lines.
var Colors = [...]color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255},
}

// Idle is the pale pink of servers that stand idle while a job waits at the head of the
// line. It means that in every picture, as hatching means that job's wait.
var Idle = color.RGBA{246, 213, 213, 255}

// Color is the colour of class i, from 0. The colours repeat after seven.
func Color(i int) color.RGBA { return Colors[i%len(Colors)] }
