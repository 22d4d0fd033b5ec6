/* Deliveries: server/deliveries, with the statements of server/push/leases.py.
 *
 * Two webhooks of one aggregate, two processes. A process may be killed at any time, an attempt may
 * fail, the database may be away for longer than a lease when a result is recorded, and the clock of
 * the database may jump forward once. A lease lasts three ticks, an attempt one, and an attempt begins
 * one tick after its lease at most.
 *
 * at_least_once: protos/keystead/push/v1/push_service.proto "A webhook is sent at least once"
 * in_order: protos/keystead/push/v1/push_service.proto "in the order of the events, one after the other"
 * no_overlap: server/deliveries/loop.py "two attempts of one delivery never overlap"
 * sent_counts: server/deliveries/recording.py "the next holder must not send it again"
 */
bool lease_ends = true;   /* guard of at_least_once: a lease that has ended can be taken */
bool in_turn = true;      /* guard of in_order: a delivery waits for the earlier ones of its aggregate */
bool has_limit = true;    /* guard of no_overlap: an attempt ends before its lease */
bool has_number = true;   /* guard of no_overlap: a result counts for the attempt that holds the lease */
bool counts_sent = true;  /* guard of sent_counts: a sent delivery is recorded after the lease, too */

#define LEASE 3
#define ATTEMPT 1
#define START 1
#define MOST 6

byte now, ahead;          /* the time, and the jump of the database's clock */
bool is_sent[2], leased[2], told[2];
byte until[2], number[2], running[2], arrived[2];
byte troubles = 2;        /* kills and failures that are left */
byte limit[2] = MOST;     /* of the attempt of each process */

#define due(d) (!is_sent[d] && (!leased[d] || (lease_ends && now + ahead >= until[d])) && \
    (!in_turn || d == 0 || is_sent[0]))

active proctype clock() {
    do
    :: now < MOST && (!has_limit || (now < limit[0] && now < limit[1])) -> now++
    :: ahead == 0 -> ahead = LEASE
    :: now == MOST -> break
    od
}

active [2] proctype process() {
    byte d, mine;
    bool success;
start:
    atomic { /* leases one that is due, unless there is none any more */
        if
        :: due(0) -> d = 0
        :: due(1) -> d = 1
        :: (is_sent[0] && is_sent[1]) || (now == MOST && !due(0) && !due(1)) -> goto done
        fi;
        assert(!told[d]); /* sent_counts */
        leased[d] = true;
        number[d]++;
        mine = number[d];
        until[d] = now + ahead + LEASE;
        limit[_pid - 1] = now + START
    }
    atomic {
        running[d]++;
        assert(running[d] == 1 || ahead > 0); /* no_overlap */
        limit[_pid - 1] = now + ATTEMPT
    }
    if
    :: success = true
    :: atomic { troubles > 0 -> troubles--; success = false }
    fi;
    atomic {
        arrived[d] = arrived[d] + success;
        assert(d == 0 || arrived[0] > 0); /* in_order */
        running[d]--;
        limit[_pid - 1] = MOST
    }
    if
    :: atomic { troubles > 0 && now + LEASE <= MOST -> troubles--; goto again } /* killed */
    :: else
    fi;
    atomic { /* after any time */
        if
        :: is_sent[d]
        :: !is_sent[d] && success && (counts_sent || (leased[d] && number[d] == mine)) ->
            is_sent[d] = true; leased[d] = false
        :: !is_sent[d] && !success && ((leased[d] && number[d] == mine) || !has_number) ->
            leased[d] = false
        :: else
        fi;
        told[d] = told[d] || success
    }
again:
    atomic { d = 0; success = false; mine = 0; goto start }
done:
    skip
}

active proctype at_the_end() {
    timeout -> assert(arrived[0] > 0 && arrived[1] > 0) /* at_least_once */
}
