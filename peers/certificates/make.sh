#!/bin/sh
# Makes the certificates of the services that `bad-peer` plays over TLS. They protect nothing: the key lies beside them.
# Tests trust `authority.pem` through SSL_CERT_FILE, so that each other certificate is wrong in one way only. The first
# day is long ago, so that they hold on machines with a wrong clock.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' '[ca]' 'default_ca=peers' '[peers]' "database=$work/index" "new_certs_dir=$work" 'rand_serial=yes' \
    'default_md=sha256' 'policy=any' '[any]' 'commonName=supplied' > "$work/ca.cnf"

key() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$1"; }

# The name of the file, its key, its last day, its extensions; then how it is signed.
certificate() {
    name=$1 key=$2 end=$3
    printf "$4" > "$work/extensions"
    shift 4
    : > "$work/index"
    openssl req -new -key "$key" -subj "/CN=$name" -out "$work/request"
    openssl ca -batch -notext -config "$work/ca.cnf" -in "$work/request" -extfile "$work/extensions" \
        -startdate 20200101000000Z -enddate "$end" -out "$name.pem" "$@"
}

LEAF='basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName='
HERE='IP:127.0.0.1,DNS:localhost\n'
LAST=21200101000000Z
signed="-cert authority.pem -keyfile $work/authority.key"

key "$work/authority.key"
key leaf.key
certificate authority "$work/authority.key" $LAST 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n' \
    -selfsign -keyfile "$work/authority.key"
certificate good leaf.key $LAST "$LEAF$HERE" $signed
certificate expired leaf.key 20200201000000Z "$LEAF$HERE" $signed
certificate wrong-host leaf.key $LAST "${LEAF}DNS:other.example\n" $signed
certificate self-signed leaf.key $LAST "$LEAF$HERE" -selfsign -keyfile leaf.key
