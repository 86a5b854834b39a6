#!/bin/sh
# Runs PostgreSQL in a container. Its first start makes the cluster, and a role and a database for Gatehouse.
set -eu

if [ ! -e "$PGDATA/PG_VERSION" ]; then
  # It gets its name when it is whole.
  draft=$PGDATA.draft
  rm -rf "$draft"
  initdb --pgdata="$draft" --auth-local=peer --auth-host=scram-sha-256 --data-checksums --no-instructions > /dev/null
  echo 'host gatehouse gatehouse samenet scram-sha-256' >> "$draft/pg_hba.conf"
  postgres --single -D "$draft" postgres > /dev/null << SQL
create role gatehouse login password '$(cat /run/secrets/database_password)'
create database gatehouse owner gatehouse
revoke connect, temporary on database gatehouse from public
SQL
  mv "$draft" "$PGDATA"
fi

exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql -c max_connections=200
