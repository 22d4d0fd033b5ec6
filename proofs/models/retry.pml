/* A call with an idempotency key: server/rpc/preconditions.
 *
 * A client that gets no answer repeats its call on another server while the first may still run.
 * Each server may be killed between any two statements.
 *
 * once: docs/api.md "the same call with the same key gets the first response and changes nothing"
 * same_answer: docs/decisions/0011-preconditions-and-retries.md "Key, answer and change are committed together"
 * released: docs/decisions/0011-preconditions-and-retries.md "A call that fails releases the key"
 */
bool key_first = true;        /* guard of once: the row is inserted first, so a second call waits */
bool one_transaction = true;  /* guard of once: key, answer and change are one transaction */
bool stored_answer = true;    /* guard of same_answer: a repeated call gets the stored answer */
bool rolls_back = true;       /* guard of released: the row of a failed call is undone with it */

#define CALLS 3

byte changes, stored; /* committed: the number of changes, and the answer, which names its change */
bool has_key;         /* inserted, by a transaction that runs or is committed */
byte kills = CALLS - 1;

/* Ends the transaction without a commit. */
inline killed() {
    atomic { kills > 0 -> kills--; has_key = has_key && !rolls_back && !stored; goto done }
}

inline change() {
    changes++;
    assert(changes <= 1 || repeated); /* once */
    answer = changes
}

active [CALLS] proctype call() {
    byte answer;
    bool repeated;
    atomic { /* waits for a transaction that has inserted the key */
        !key_first || !has_key || stored > 0;
        answer = stored;
        repeated = stored > 0;
        has_key = true
    }
    if
    :: answer > 0 && stored_answer
    :: else ->
        if
        :: killed()
        :: one_transaction -> atomic { change(); stored = changes }
        :: !one_transaction ->
            atomic { change() }
            if
            :: killed()
            :: stored = answer
            fi
        fi
    fi;
    assert(answer == 1) /* same_answer */
done:
    skip
}

active proctype at_the_end() {
    timeout -> assert(changes > 0) /* released */
}
