/* The order of all events: server/log/positions.py, lives.py and feed.py.
 *
 * Three writers commit an event each, in any order; two processes assign positions. Once, the
 * database is restored from a backup that lacks some positions, and a fourth event follows. A
 * service watches, and resumes after the last event that it has got.
 *
 * exactly_once: protos/keystead/event/v1/event_service.proto "every event is sent exactly once"
 * none_missed: docs/decisions/0002-the-order-of-all-events.md "a reader that sees one sees all lower ones"
 * told: docs/decisions/0002-the-order-of-all-events.md "a consumer would skip as many new events in silence"
 */
bool after_commit = true;   /* guard of none_missed: an event gets its position after its commit */
bool one_assigner = true;   /* guard of none_missed: `last_event_position` is locked */
bool has_lives = true;      /* guard of told: a log that was set back begins another life */
bool resumes_after = true;  /* guard of exactly_once: a watcher resumes after its cursor */

#define EVENTS 4
#define WRITERS 3

byte log[EVENTS + 1];     /* events by their positions; 0: none that a reader can see */
byte last;                /* `last_event_position` */
bool waits[EVENTS + 1];   /* `unpositioned_events` */
bool locked, restored;
byte kept = EVENTS;       /* the last position of the ended life */
byte taken;               /* positions that were taken before a commit */
byte got[EVENTS + 1];     /* the number of times that the watcher got an event */
byte cursor;
bool of_new_life, is_told, missed;

inline commit(event) {
    atomic {
        if
        :: after_commit -> waits[event] = true
        :: else -> log[place] = event; last = (place > last -> place : last)
        fi
    }
}

inline take() {
    if
    :: !after_commit -> atomic { taken++; place = taken }
    :: else
    fi
}

proctype writer(byte event) {
    byte place;
    take();
    commit(event)
}

proctype assigner() {
    byte place, event;
end:
    do
    :: atomic { (!one_assigner || !locked) && (waits[1] || waits[2] || waits[3] || waits[4]) ->
            locked = true;
            place = last;
            event = (waits[1] -> 1 : (waits[2] -> 2 : (waits[3] -> 3 : 4))) }
        atomic {
            if
            :: waits[event] -> waits[event] = false; last = place + 1; log[last] = event
            :: else
            fi;
            locked = false;
            event = 0;
            place = 0
        }
    od
}

proctype restore() {
    byte place;
    atomic { /* of a moment at which no position was being assigned */
        !locked && last > 0 && after_commit ->
            restored = true;
            kept = 0;
            do
            :: kept + 1 < last -> kept++
            :: break
            od;
            do
            :: last > kept -> log[last] = 0; last--
            :: else -> break
            od
    }
    commit(4)
}

proctype watcher() {
end:
    do
    :: atomic { !is_told && restored && has_lives && !of_new_life && cursor > kept -> is_told = true }
    :: atomic { !is_told && cursor < last && (!restored || !has_lives || of_new_life || cursor <= kept) ->
            of_new_life = restored;
            cursor++;
            missed = missed || log[cursor] == 0;
            got[log[cursor]]++;
            assert(log[cursor] == 0 || got[log[cursor]] <= 1) /* exactly_once */
        }
    :: atomic { !resumes_after && cursor > 0 && got[1] < 2 -> cursor-- }
    od
}

init {
    atomic {
        run writer(1); run writer(2); run writer(3);
        run assigner(); run assigner(); run watcher();
        if
        :: run restore()
        :: skip
        fi
    }
    timeout ->
        assert(!missed && (restored || is_told || (got[1] && got[2] && got[3]))); /* none_missed */
        assert(!restored || is_told || got[4] == 1) /* told */
}
