/* The end of a token against reads and writes with it: server/access.
 *
 * Server 0 answers RevokeToken. Server 1 is another process, and server 2 reads from a standby that
 * is one tick behind at most. Five seconds are two ticks. Each look-up of a caller, each statement
 * and each wait for a lock may take any time. Calls affect each other only by the cache of their
 * process, so each run has those of one kind. The log ends cached callers sooner, or not at all if it
 * cannot be read (server/log/feed.py), so the model leaves it out.
 *
 * writes: protos/keystead/user/v1/user_service.proto "Writes with it fail at once"
 * here: protos/keystead/user/v1/user_service.proto "Reads with it fail at once in the process that answers this call"
 * elsewhere: protos/keystead/user/v1/user_service.proto "within 5 seconds in every other process"
 * grants: docs/decisions/0012-who-may-act-on-a-user.md "calls in flight otherwise outlive the revocation of their token"
 */
bool checked_append = true;   /* guard of writes: the statement that writes checks its caller */
bool forgets = true;          /* guard of here: the process removes the user from its cache */
bool has_generation = true;   /* guard of here: a look-up that began before that is not cached */
bool expires = true;          /* guard of elsewhere: a cached caller is kept for five seconds */
bool since_look_up = true;    /* guard of elsewhere: which begin with the look-up */
bool is_locked = true;        /* guard of grants: `admission.py` keeps the token until the commit */

#define CACHED 2
#define LAG 1
#define MOST 5

byte now;
bool valid = true, valid_at_standby = true; /* the token */
bool kept;                                  /* its row is locked by a grant */
bool answered;
byte revoked_at, answered_at;
bool is_cached[3];
byte cached_until[3];
bool generation; /* of server 0: it forgets once */

#define hit(server) (is_cached[server] && (!expires || now < cached_until[server]))
#define is_late(server) (answered && now >= answered_at + CACHED + (server == 2 -> LAG : 0))

active proctype clock() {
    do
    :: now < MOST && (valid || !valid_at_standby || now < revoked_at + LAG) -> now++
    :: now == MOST -> break
    od
}

active proctype standby() {
    !valid -> valid_at_standby = false
}

active proctype revocation() {
    atomic { !kept -> valid = false; revoked_at = now }
    atomic { is_cached[0] = is_cached[0] && !forgets; generation = true }
    atomic { answered = true; answered_at = now }
}

proctype reader(byte server) {
    byte began, reads;
    bool found, before, refused_here, refused;
    do
    :: reads < 2 ->
        reads++;
        atomic {
            refused_here = answered && server == 0;
            refused = is_late(server);
            found = hit(server);
            before = generation;
            began = now
        }
        if
        :: !found ->
            found = (server == 2 -> valid_at_standby : valid);
            atomic {
                if
                :: found && (server > 0 || !has_generation || before == generation) ->
                    is_cached[server] = true;
                    cached_until[server] = (since_look_up -> began : now) + CACHED
                :: else
                fi
            }
        :: else
        fi;
        assert(!(found && refused_here)); /* here */
        assert(!(found && refused));      /* elsewhere */
        atomic { began = 0; found = false; before = false; refused_here = false; refused = false }
    :: else -> break
    od
}

/* An append with IS_ADMITTED, by a caller from the cache of server 1. */
proctype writer() {
    bool found, refused;
    atomic { found = hit(1) || valid; refused = answered }
    if
    :: found && checked_append -> found = valid
    :: else
    fi;
    assert(!(found && refused)) /* writes */
}

/* A write that grants access: `check_caller`, or IS_ADMITTED_LOCKED. */
proctype grant() {
    bool found;
    atomic { found = valid; kept = found && is_locked }
    atomic { assert(!found || valid); /* grants */ kept = false }
}

init {
    if
    :: run reader(0)
    :: run reader(1)
    :: run reader(2)
    :: atomic { run reader(1); run writer() }
    :: run grant()
    fi
}
