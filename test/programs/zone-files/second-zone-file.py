# A zone file by dnspython: each record with its name and its canonical RDATA in hexadecimal.
import json
import sys

import dns.name
import dns.zone

origin = dns.name.from_text(sys.argv[1])
zone = dns.zone.from_file(sys.argv[2], origin=origin, relativize=False, check_origin=False)
records = [
    [name.to_digestable().hex(), int(rdata.rdtype), ttl, rdata.to_digestable().hex()]
    for name, ttl, rdata in zone.iterate_rdatas()
]
json.dump(records, sys.stdout)
