/* A family of refresh tokens of a public application: server/oauth/store.py, `_USE_REFRESH_TOKEN`
 * and `_END_REUSED`.
 *
 * Two holders of copies, such as tabs or an application and a thief, use any token that one of them
 * has got, at any time. Answers may be lost. A statement takes its time when it begins, and may wait
 * for the row. The window is two ticks of the database's clock. Token n is replaced by token n + 1.
 *
 * window: protos/keystead/oauth/v1/oauth_service.proto "For 60 seconds, the previous token gets the present one"
 * reuse_ends: protos/keystead/oauth/v1/oauth_service.proto "any later use of it ends all tokens of the authorization"
 * one_successor: docs/decisions/0024-the-openid-provider.md "client that lost the response all get a token that works"
 */
bool accepts_previous = true;  /* guard of window: `previous_generation = :generation` */
bool keeps_young = true;       /* guard of window: a token is replaced once a minute at most */
bool has_spare = true;         /* guard of window: not before the statements of the window have ended */
bool closes_window = true;     /* guard of reuse_ends: `rotated_at > statement_timestamp() - 60 s` */
bool ends_reused = true;       /* guard of reuse_ends: `end_reused` */
bool one_statement = true;     /* guard of one_successor: the row is read under its lock */


#define WINDOW 2
#define WAIT 1 /* a statement waits for the row no longer */
#define MOST 7
#define TOKENS 5

byte now;
bool ended;
byte current, rotated_at; /* the row; the previous token is the one before the current */
byte issued = 1;          /* tokens that somebody may have */
byte replaced_at[TOKENS];
byte oldest[2] = MOST;    /* the times at which the statements that run began */

#define interval (WINDOW + (has_spare -> WAIT : 0))
#define is_current(token, at) (token == current || \
    (accepts_previous && token + 1 == current && (!closes_window || at < rotated_at + WINDOW)))
#define is_due(token, at) (token == current && \
    (current == 0 || !keeps_young || at >= rotated_at + interval))

inline rotate(at) {
    replaced_at[current] = at;
    rotated_at = at;
    current++;
    if
    :: current == issued -> issued++
    :: else
    fi
}

active proctype clock() {
    do
    :: now < MOST && now < oldest[0] + WAIT && now < oldest[1] + WAIT -> now++
    :: now == MOST -> break
    od
}

active [2] proctype holder() {
    byte token, present, at;
    bool in_window, used, due;
    do
    :: now < MOST && issued < TOKENS ->
        atomic { /* any token that was given out */
            token = 0;
            do
            :: token + 1 < issued -> token++
            :: break
            od;
            at = now;
            oldest[_pid - 1] = now;
            in_window = !ended && (token >= current || at < replaced_at[token] + WINDOW)
        }
        atomic { /* _USE_REFRESH_TOKEN, once it has the row */
            used = !ended && is_current(token, at);
            due = used && is_due(token, at);
            if
            :: due && one_statement -> rotate(at)
            :: else
            fi;
            assert(!used || token >= current || at < replaced_at[token] + WINDOW) /* reuse_ends */
        }
        if
        :: due && !one_statement -> /* another token than that of a simultaneous request */
            atomic { rotate(at); assert(current == token + 1) /* one_successor */ }
        :: !used ->
            atomic {
                assert(!in_window || ended) /* window */
                ended = ended || (ends_reused && !is_current(token, at));
                assert(ended) /* reuse_ends */
            }
        :: else
        fi;
        atomic { oldest[_pid - 1] = MOST; token = 0; present = 0; at = 0; in_window = false; used = false; due = false }
    :: else -> break
    od
}
