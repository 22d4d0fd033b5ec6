// The judge reads a history of calls as JSON lines, and says whether it is linearizable: whether the calls on each
// object can be put into one order that agrees with their times and answers.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// A call on an object. Times are nanoseconds of one clock; an end of 0 means no answer, so a write may have been
// executed at any later time, or never. Stale is the age that the answer to a read may have, in nanoseconds.
type call struct {
	Client int
	Object string
	Write  bool
	Value  string
	Begin  int64
	End    int64
	Stale  int64
}

var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		objects := map[string][]porcupine.Operation{}
		for _, each := range history {
			object := each.Input.(call).Object
			objects[object] = append(objects[object], each)
		}
		var parts [][]porcupine.Operation
		for _, part := range objects {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return "" },
	Step: func(state, input, _ any) (bool, any) {
		made := input.(call)
		return made.Write || made.Value == state.(string), stateAfter(state.(string), made)
	},
}

func stateAfter(state string, made call) string {
	if made.Write {
		return made.Value
	}
	return state
}

func read(path string) ([]porcupine.Operation, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var history []porcupine.Operation
	var calls []call
	seen := map[string]bool{}
	for lines := json.NewDecoder(file); lines.More(); {
		var made call
		if err := lines.Decode(&made); err != nil {
			return nil, err
		}
		calls = append(calls, made)
		seen[made.Value] = seen[made.Value] || !made.Write
	}
	for _, made := range calls {
		end := made.End
		// Nobody has read it, so it can come last, or never. Many of these would take the search years.
		if end == 0 && !seen[made.Value] {
			continue
		}
		if end == 0 {
			end = math.MaxInt64
		}
		history = append(history, porcupine.Operation{ClientId: made.Client, Input: made, Call: made.Begin - made.Stale, Return: end})
	}
	return history, nil
}

func main() {
	history, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	verdict := porcupine.CheckOperationsTimeout(register, history, 2*time.Minute)
	fmt.Printf("%d calls: %s\n", len(history), verdict)
	if verdict != porcupine.Ok {
		os.Exit(1)
	}
}
