// The judge reads a history of calls as JSON lines, and says whether it is linearizable: whether the calls on each
// object can be put into one order that agrees with their times, their answers and the model of the object.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

const (
	memory    = 1 << 30
	patience  = 2 * time.Minute
	mostShown = 12
)

// A call on an object. Times are nanoseconds of one clock; an end of 0 means no answer, so the call may have been
// executed at any later time, or never. Stale is the age that the answer to a read may have, in nanoseconds.
type call struct {
	Client   int
	Model    string
	Object   string
	Name     string
	Argument string
	Answer   string
	Begin    int64
	End      int64
	Stale    int64
}

func (made call) String() string {
	answer := made.Answer
	if made.End == 0 {
		answer = "no answer"
	}
	return fmt.Sprintf("client %d: %s(%s) = %s", made.Client, made.Name, made.Argument, answer)
}

// operations gives the calls for porcupine. It leaves out unanswered changes to a value that nobody has read: they
// can come last, or never, and many of them would take the search years.
func operations(calls []call) []porcupine.Operation {
	read := map[string]bool{}
	for _, made := range calls {
		read[made.Answer] = true
	}
	var history []porcupine.Operation
	for _, made := range calls {
		end := made.End
		if end == 0 {
			if made.Name == "update" && !read[made.Argument] {
				continue
			}
			end = math.MaxInt64
		}
		history = append(history, porcupine.Operation{ClientId: made.Client, Input: made, Call: made.Begin - made.Stale, Return: end})
	}
	return history
}

// firstStep names the calls that no order can follow on: the first ones after a longest explained order.
func firstStep(model porcupine.Model, history []porcupine.Operation) string {
	_, info := porcupine.CheckOperationsVerbose(model, history, patience)
	var longest []porcupine.Operation
	for _, orders := range info.PartialLinearizationsOperations() {
		for _, order := range orders {
			if len(order) > len(longest) {
				longest = order
			}
		}
	}
	explained, state := map[call]bool{}, model.Init()
	for _, each := range longest {
		explained[each.Input.(call)] = true
		_, state = model.Step(state, each.Input, nil)
	}
	var rest []call
	for _, each := range history {
		if made := each.Input.(call); !explained[made] {
			rest = append(rest, made)
		}
	}
	sort.Slice(rest, func(one, other int) bool { return rest[one].Begin < rest[other].Begin })
	shown := make([]string, 0, mostShown)
	for _, made := range rest[:min(len(rest), mostShown)] {
		shown = append(shown, made.String())
	}
	return fmt.Sprintf("after %d explained calls, in state %q: %s", len(longest), state, strings.Join(shown, "; "))
}

func read(path string) (map[string]map[string][]call, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	objects := map[string]map[string][]call{}
	for lines := json.NewDecoder(file); lines.More(); {
		var made call
		if err := lines.Decode(&made); err != nil {
			return nil, err
		}
		if objects[made.Model] == nil {
			objects[made.Model] = map[string][]call{}
		}
		objects[made.Model][made.Object] = append(objects[made.Model][made.Object], made)
	}
	return objects, nil
}

func main() {
	debug.SetMemoryLimit(memory)
	objects, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	status, until := 0, time.Now().Add(patience)
	for _, name := range names {
		number, verdict := 0, porcupine.Ok
		for object, calls := range objects[name] {
			number += len(calls)
			model, history := machine(steps[name]), operations(calls)
			// A limit of 0 would be none.
			result := porcupine.CheckOperationsTimeout(model, history, max(time.Until(until), time.Millisecond))
			if result == porcupine.Illegal {
				fmt.Printf("%s %s: %s\n", name, object, firstStep(model, history))
			}
			if result != porcupine.Ok && verdict != porcupine.Illegal {
				verdict, status = result, 1
			}
		}
		if number > 0 {
			fmt.Printf("%s: %d calls on %d objects: %s\n", name, number, len(objects[name]), verdict)
		}
		delete(objects, name)
	}
	for name := range objects {
		fmt.Fprintf(os.Stderr, "no model is named %q\n", name)
		os.Exit(2)
	}
	os.Exit(status)
}
