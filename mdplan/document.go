package mdplan

import "bytes"

type blockKind uint8

const (
	kindBullet    blockKind = iota // a list item
	kindQuote                      // opens a block quote
	kindParagraph                  // text, also a tight list item's
	kindHeading
	kindCode // indented or fenced
	kindHTML
	kindRule
	kindOther
)

// document is what Markdown sees in a file: the headings, the list items with
// exact byte spans, and the sequence of leaf blocks by which two versions of a
// file are compared. All positions are positions in the file.
type document struct {
	text     []byte // as goldmark read it, see plainEndings
	base     int    // where the Markdown begins, behind BOM and front matter
	bullets  []bullet
	headings []heading
	events   []event
	lines    []line // of the events
	comments []span // HTML blocks of one line, outside of all containers
	fences   []fence
	code     []span // what is code or HTML, for the reports of look-alikes
	html     []span
	quotes   []span
	parts    []stretch // of a long file
}

// event is one step through the document, in order: a container that opens or
// a leaf block. Two files with equal events read the same.
type event struct {
	kind   blockKind
	level  uint8 // of a heading
	depth  uint8 // how many containers hold it
	bullet int32 // index of the list item itself (kindBullet), or of the one that holds the block; -1
	lines  lineRange
}

// lineRange is a range of document.lines.
type lineRange struct{ from, to int32 }

func (r lineRange) len() int { return int(r.to - r.from) }

// line is a line of a block without what the containers around it take, such
// as the indent of a list item.
type line struct {
	span
	padding int // columns of a tab that a container took in part
}

// bullet is a list item, whether it is an item of the plan or not.
type bullet struct {
	start      int // its marker, "-" or "12."
	end        int // behind its last line that is not blank
	parent     int // the list item that holds it, -1
	list       int // which Markdown list it belongs to
	event      int // its event, and the one behind its last
	eventEnd   int
	marker     byte // '-', '*', '+', or what follows the number: '.', ')'
	ordered    bool
	quoted     bool      // a block quote holds it
	firstKind  blockKind // of the block with its text
	firstLevel uint8
	first      span // its first line of text; empty if there is none
	paragraphs int  // where the lines of its paragraphs begin, while it is read
}

// span is a range of bytes of the file.
type span struct{ start, end int }

type heading struct {
	start int // of its line
	level int
	text  string
}

// fence is a fenced code block or an HTML block that needs an end.
type fence struct {
	start  int // of the line that opens it
	end    int // behind its last line
	open   bool
	quoted bool
}

// plainEndings puts a space in the place of each carriage return, which keeps
// all positions: goldmark does not see a list item in "-" and CRLF. White
// space at the end of a line means nothing to Markdown's blocks.
func plainEndings(src []byte) []byte {
	if bytes.IndexByte(src, '\r') < 0 {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\r\n"), []byte(" \n"))
}

// lineEnd returns the end of the line that holds the byte before at.
func (d *document) lineEnd(at int) int {
	if at > 0 && d.text[at-1] == '\n' {
		return at
	}
	if i := bytes.IndexByte(d.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.text)
}

func (d *document) lineStart(at int) int {
	return max(bytes.LastIndexByte(d.text[:at], '\n')+1, d.base)
}

// linesOf returns the lines of an event.
func (d *document) linesOf(e event) []line { return d.lines[e.lines.from:e.lines.to] }

// value returns a line as goldmark reads it, without its ending.
func (d *document) value(l line) []byte {
	v := d.text[l.start:l.end]
	if l.padding > 0 {
		v = append(bytes.Repeat([]byte{' '}, l.padding), v...)
	}
	return bytes.TrimRight(v, " \t\r\n")
}
