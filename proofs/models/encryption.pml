/* The rotation of encryption keys: server/crypto/encryption_keys.py and `keystead rotate-keys`.
 *
 * Server 0 encrypts with key 0; it may be frozen, so that its row of `servers` is too old. Server 1
 * encrypts with key 1, and so does the command, which runs at any time. Afterwards the operator
 * removes key 0 from the settings.
 *
 * readable: docs/decisions/0014-keys-and-secrets.md "So a server that the command did not see can only fail"
 * restart: docs/decisions/0014-keys-and-secrets.md "a server whose first key is there does not start"
 */
bool foreign_key = true;    /* guard of readable: `secrets.key_id` refers to `encryption_keys` */
bool locks_others = true;   /* guard of readable: the lock waits for transactions that store secrets */
bool checks_left = true;    /* guard of readable: none is left under another key, once they are locked */
bool lists_retired = true;  /* guard of restart: `admit` refuses a retired key */

#define SECRETS 2

bool listed[2] = true;
bool retired;              /* key 0 */
byte storing;              /* transactions that have stored a secret under key 0, not yet committed */
bool locked;               /* the other keys, by the command */
byte under_old, under_new; /* committed secrets by their key */

/* A secret of server 0, also after a freeze at any place. */
active [SECRETS] proctype call() {
    if
    :: atomic { !locked && (listed[0] || !foreign_key) -> storing++ }
        atomic { storing--; under_old++ }
        assert(!retired || under_old == 0) /* readable */
    :: !listed[0] && foreign_key /* ENCRYPTION_KEY_REPLACED */
    fi
}

active proctype other_server() {
    under_new++
}

active proctype rotate_keys() {
    byte tries;
again:
    atomic { under_new = under_new + under_old; under_old = 0 } /* encrypts all again */
    if
    :: locks_others -> atomic { !locked && storing == 0 -> locked = true }
    :: else
    fi;
    if
    :: under_old > 0 && checks_left -> atomic { locked = false; tries++; goto again }
    :: else -> atomic { listed[0] = false; retired = true; locked = false }
    fi;
    assert(under_old == 0) /* readable */
}

/* Server 0 starts again with its old settings. */
active proctype restarted() {
    if
    :: atomic { !locked && !listed[0] && (!lists_retired || !retired) -> listed[0] = true }
        assert(!retired) /* restart */
    :: atomic { !locked && (listed[0] || retired) -> skip }
    fi
}
