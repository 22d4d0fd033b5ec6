/* A code is used once: server/oauth/store.py, `_USE_CODE` and `_END_REUSED_CODE`.
 *
 * Its application and a thief with its secret each exchange the code twice, at any time and on any
 * server; answers may be lost. The lifetime is two ticks of the database's clock.
 *
 * once: protos/keystead/oauth/v1/oauth_service.proto "Each code can be exchanged once"
 * reuse_ends: protos/keystead/oauth/v1/oauth_service.proto "a second exchange ends the tokens of the first one"
 * expires: protos/keystead/oauth/v1/oauth_service.proto "code is valid for 60 seconds"
 */
bool is_unused = true;      /* guard of once: the condition `code_used_at is null` */
bool one_statement = true;  /* guard of once: condition and update are one statement */
bool is_alive = true;       /* guard of expires: the condition `code_expires_at > clock_timestamp()` */
bool ends_reused = true;    /* guard of reuse_ends: `end_reused_code` */

#define LIFETIME 2

byte now, exchanges;
bool used, ended; /* the row */

active proctype clock() {
    do
    :: now < LIFETIME + 1 -> now++
    :: now > LIFETIME -> break
    od
}

#define may_use (!ended && (!used || !is_unused) && (now < LIFETIME || !is_alive))

inline use() {
    used = true;
    exchanges++;
    assert(exchanges <= 1); /* once */
    assert(now < LIFETIME || !one_statement) /* expires */
}

active [2] proctype client() {
    byte tries;
    bool found;
    do
    :: tries < 2 ->
        tries++;
        atomic {
            found = may_use;
            if
            :: found && one_statement -> use()
            :: else
            fi
        }
        if
        :: found && !one_statement -> atomic { use() }
        :: !found ->
            atomic {
                ended = ended || (ends_reused && used);
                assert(exchanges == 0 || ended) /* reuse_ends */
            }
        :: else
        fi
    :: else -> break
    od
}
