#!/bin/sh
# Makes the secrets of ../../../compose.yaml in a volume. What is there stays as it is.
set -eu
umask 077
cd /run/secrets
# Others may enter, and read what is theirs.
chmod 755 .

# Writes standard input to a new file of a user.
make() {
  cat > "$2.new"
  chown "$1" "$2.new"
  chmod 400 "$2.new"
  mv "$2.new" "$2"
}

if [ ! -e complete ]; then
  password=$(openssl rand -hex 24)
  echo "$password" | make postgres database_password
  echo "\"gatehouse\" \"$password\"" | make postgres pgbouncer_users
  echo "postgres://gatehouse:$password@pgbouncer:6432/gatehouse" | make 10001 database_url
  echo "postgres://gatehouse:$password@postgres:5432/gatehouse" | make 10001 database_listen_url
  # Never anew: without it, the signing keys in the database cannot be used.
  [ -e master_key ] || openssl rand 32 | basenc --base64url --wrap=0 | tr -d '=' | make 10001 master_key
  touch complete
fi

# Replace it by a certificate that browsers trust: the certificate, those above it, and the key, in one file.
if [ ! -e haproxy.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout /tmp/key -out /tmp/certificate 2> /tmp/log || {
    cat /tmp/log
    exit 1
  }
  cat /tmp/certificate /tmp/key | make haproxy haproxy.pem
  make haproxy certificate.pem < /tmp/certificate
fi
