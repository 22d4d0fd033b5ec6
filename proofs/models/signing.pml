/* The rotation of signing keys: server/signing/schedule.py and signer.py.
 *
 * A server signs with the keys that it has read within CACHED ticks. A verifier, such as an
 * application, keeps the key set for an hour, which is two ticks, and has no connection to the
 * server when it gets a token. The first key of an algorithm signs at once; a server of the release
 * before the algorithm runs for some time, and publishes none of its keys.
 *
 * verifies: server/signing/schedule.py "verifiers that could not fetch the key set for some time have the key, too"
 * last_token: server/signing/schedule.py "the lifetime of its last token"
 * old_release: docs/decisions/0014-keys-and-secrets.md "No first RSA key is made while a server before schema version 31"
 */
bool prepublished = true;    /* guard of verifies: a key is published before it signs */
bool is_kept = true;         /* guard of last_token: a key stays published after its last signature */
bool spares_cache = true;    /* guard of last_token: also for servers that have the old key cached */
bool waits_for_old = true;   /* guard of old_release: `_may_add` */

#define CACHED 2
#define MAX_AGE 2
#define TOKEN 2
#define PREPUBLISHED 3
#define INTERVAL 4
#define MOST 9
#define KEYS 2
#define none KEYS

byte now;
bool old_runs = true;
byte added;               /* the keys are 0 to added - 1 */
byte signs_at[KEYS];
bool is_published[KEYS];
byte known = none, read_at;         /* of the server: the key that signs, and the time of its read */
byte has_key[KEYS], fetched_at;     /* of the verifier */
bool from_old;
byte signed_by = none, signed_at;   /* a token */

#define delay (added == 0 || !prepublished -> 0 : PREPUBLISHED)
#define kept (is_kept -> TOKEN + (spares_cache -> CACHED : 0) : 0)
#define needs_key (added < KEYS && \
    (added == 0 || now >= signs_at[added - 1] + INTERVAL - PREPUBLISHED))
#define current (added == 0 -> none : (added > 1 && signs_at[1] <= now -> 1 : 0))
#define unknown 0
#define present 1
#define removed 2
#define seen(key) (key >= added -> unknown : (is_published[key] -> present : removed))
#define ended(key) (key + 1 < added && signs_at[key + 1] + kept <= now)

active proctype clock() {
    do
    :: now < MOST -> now++
    :: else -> break
    od
}

active proctype old_server() {
    old_runs = false
}

/* Several servers may do this; the table is locked. */
active proctype housekeeping() {
    do
    :: atomic { needs_key && (added > 0 || !waits_for_old || !old_runs) ->
            signs_at[added] = now + delay;
            is_published[added] = true;
            added++ }
    :: atomic { is_published[0] && ended(0) -> is_published[0] = false }
    :: now == MOST -> break
    od
}

active proctype signer() {
    if
    :: atomic { current != none && now < MOST -> known = current; read_at = now }
        if
        :: atomic { now <= read_at + CACHED -> signed_by = known; signed_at = now }
        :: now > read_at + CACHED
        fi
    :: now == MOST
    fi
}

inline fetch() {
    fetched_at = now;
    from_old = old_runs && added > 0;
    has_key[0] = seen(0); has_key[1] = seen(1)
}

active proctype verifier() {
    if
    :: atomic { added > 0 && now < MOST -> fetch() } /* from the old server while it runs */
        if
        :: atomic { signed_by != none && now < signed_at + TOKEN && now <= fetched_at + MAX_AGE ->
            assert(!from_old);                      /* old_release */
            assert(has_key[signed_by] != unknown);  /* verifies */
            assert(has_key[signed_by] != removed)   /* last_token */ }
        :: now == MOST
        fi
    :: now == MOST
    fi
}
