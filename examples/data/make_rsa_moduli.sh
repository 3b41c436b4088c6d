#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes rsa_moduli.txt next to this script: the RSA modulus of every
# certificate in Debian's ca-certificates package that has an RSA key.
#
# Format: one integer a line, `0x` and lower-case hex digits without leading
# zeros, no other lines. Order: the certificates' file names sorted in the C
# locale. Certificates with another kind of key (elliptic curve) are left out.
#
# The committed rsa_moduli.txt was made from ca-certificates 20230311+deb12u1.
# The output depends only on that package's files; another version of the
# package may hold other certificates.
#
# To rerun, on Debian or a system derived from it:
#   apt-get install ca-certificates openssl
#   bash make_rsa_moduli.sh

set -euo pipefail
export LC_ALL=C # sorts the glob below by bytes, on every machine

made_from='20230311+deb12u1'
cert_dir=/usr/share/ca-certificates/mozilla
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$here/rsa_moduli.txt

version=$(dpkg-query -W -f='${Version}' ca-certificates)
echo "ca-certificates $version" >&2
if [[ $version != "$made_from" ]]; then
  echo "note: the committed file was made from $made_from" >&2
fi

shopt -s nullglob
certs=("$cert_dir"/*.crt)
if ((${#certs[@]} == 0)); then
  echo "error: no certificates in $cert_dir" >&2
  exit 1
fi

# Collect everything first, so that a failure leaves the old file alone.
moduli=()
for cert in "${certs[@]}"; do
  text=$(openssl x509 -in "$cert" -noout -text)
  if [[ $text != *"Public Key Algorithm: rsaEncryption"* ]]; then
    continue
  fi
  line=$(openssl x509 -in "$cert" -noout -modulus) # Modulus=C0FFEE...
  if [[ ! $line =~ ^Modulus=0*([1-9A-F][0-9A-F]*)$ ]]; then
    echo "error: unexpected modulus line for $cert: $line" >&2
    exit 1
  fi
  hex=${BASH_REMATCH[1]}
  moduli+=("0x${hex,,}")
done
if ((${#moduli[@]} == 0)); then
  echo "error: no RSA keys in $cert_dir" >&2
  exit 1
fi

printf '%s\n' "${moduli[@]}" >"$out"
echo "${#certs[@]} certificates, ${#moduli[@]} RSA moduli -> ${out##*/}" >&2
