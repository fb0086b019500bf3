#!/bin/sh
# Run once by the image's initdb: makes the service's role and database, the role of replication,
# and the standby that commits wait for. The standby comes last, since from then on no commit ends
# without it.
set -eu
registrar=$(cat "${SECRETS:-/run/secrets}/registrar_password")
replication=$(cat "${SECRETS:-/run/secrets}/replication_password")

psql -v ON_ERROR_STOP=1 -U "${POSTGRES_USER:-postgres}" -d postgres \
  -v registrar="$registrar" -v replication="$replication" <<'SQL'
create role registrar login createrole password :'registrar';
create database registrar owner registrar;
revoke all on database registrar from public;
create role replication login replication password :'replication';
select pg_create_physical_replication_slot('standby1');
alter system set synchronous_standby_names = 'FIRST 1 (standby1)';
SQL

echo 'host replication replication all scram-sha-256' >>"$PGDATA/pg_hba.conf"
