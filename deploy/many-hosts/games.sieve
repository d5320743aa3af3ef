# /etc/dovecot/sieve/games.sieve: letters to table@games.example.org, sorted by the host that the id of their game names
# (b-troyes-12 is a game of b). What names none, `new`, `games`, `join`, stays in INBOX: the host a answers for all.
# For each further host: the same two rules with its label and its folder. Afterwards `sievec games.sieve`.
require ["envelope", "subaddress", "fileinto", "mailbox"];

# By the reply address, table+b-troyes-12.7.key@, which people do not see; table+b@ is where hosts pass letters on to.
if envelope :detail :matches "to" ["b", "b-*"] {
    fileinto :create "b";
    stop;
}
if envelope :detail :matches "to" ["a", "a-*"] {
    keep;
    stop;
}

# Letters of people's own, by the subject: [b-troyes-12], or «join b-troyes-12».
if header :matches "subject" ["*[b-*", "b-*-*", "* b-*-*"] {
    fileinto :create "b";
    stop;
}
