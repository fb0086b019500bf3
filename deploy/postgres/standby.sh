#!/bin/sh
# A standby of PRIMARY_HOST: it is copied at the first start and then follows the primary.
# STANDBY_NAME is the name that the primary's synchronous_standby_names waits for, and the name of
# its slot.
set -eu
password=$(cat "${SECRETS:-/run/secrets}/replication_password")
umask 077

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  # The file is beside the data, so that postgresql.auto.conf contains no password.
  printf '*:*:*:replication:%s\n' "$password" >"$PGDATA/../replication.pgpass"
  export PGPASSFILE="$PGDATA/../replication.pgpass"
  from="host=$PRIMARY_HOST port=${PRIMARY_PORT:-5432} user=replication"
  until pg_basebackup -d "$from" -D "$PGDATA" -S "$STANDBY_NAME" -X stream -R --checkpoint=fast; do
    echo 'The primary is not ready: again in 2 s' >&2
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
fi
export PGPASSFILE="$PGDATA/../replication.pgpass"
# The name under which the standby follows. It differs from the name during the copy, which commits
# must not wait for.
exec postgres -c config_file="${CONFIG_FILE:-/etc/postgresql/postgresql.conf}" \
  -c cluster_name="$STANDBY_NAME"
