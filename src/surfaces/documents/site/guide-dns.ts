// The guide to DNS records: pointing a name, moving a domain in, taking changes back, and other
// programs.
import { type Html, html } from '../../../kit/html.ts'
import { samples } from './operation-samples.ts'
import { codeBlock, notRun, type SiteParts, section } from './site-page.ts'

export function dnsPage(parts: SiteParts): Html {
  return html`${section('point', 'Point a name', pointWords(parts))}${section(
    'move',
    'Move a domain here without an outage',
    moveWords,
  )}${section('undo', 'Take a change back', undoWords(parts))}${section(
    'programs',
    'Certificates and other programs',
    programWords,
  )}${section('not-offered', 'What is not offered, and what helps instead', notOffered)}`
}

function pointWords(parts: SiteParts): Html {
  const servers = parts.settings.default_nameservers
  const names = servers.map((name, i) => html`${i === 0 ? '' : ', '}<code>${name}</code>`)
  return html`<p>A domain that is bought without <code>nameservers</code> is on the name servers of
this service${servers.length === 0 ? null : html` (${names})`}, which answer with its records. A
record set is a <code>host</code> relative to the domain (<code>@</code> is the domain itself), a
<code>type</code>, a <code>ttl</code> and its <code>values</code>, as a zone file writes them.</p>
${samples(parts, 'change_dns_records')}
<p><code>sets</code> replaces whole sets; <code>add</code> and <code>remove</code> change single
values, so that two programs do not overwrite each other. All of it is done, or nothing.
<code>dry_run: true</code> answers the difference and the warnings, and changes nothing. A host name
among the values ends with a dot, or it is refused with both readings. <code>served</code> in the
answer is what the name server said afterwards.</p>
<p>The records of the usual mail and site hosts are <strong>templates</strong>:
<code>GET /v1/dns/templates</code> lists them with their source, and
<code>POST /v1/domains/{domain}/records/apply-template</code> applies one. The template
<code>no-mail</code> says that a domain sends and gets no mail, so that mail in its name is
refused.</p>`
}

const moveWords = html`<ol>
<li><strong>Scan</strong> the present name servers: <code>scan_dns_zone</code>
(<code>POST /v1/domains/{domain}/records/scan</code>) asks them for the usual names, and answers
what it found, where the servers differ, and what a scan cannot see. A zone file from the present
provider is better, because it is whole: <code>import_dns_zone</code>. Records are kept here while
the domain is on other name servers.</li>
<li><strong>Transfer</strong> the registration, if it is elsewhere. The order takes
<code>records</code>, so that the zone is here before the name servers change.</li>
<li><strong>Look before the change</strong>: with <code>dry_run: true</code>, a change of name
servers answers <code>preflight</code>: the names and the mail that would stop, what the new servers
do not serve yet, and for how long the present ones must go on.</li>
<li><strong>Change the name servers</strong>, and leave the zone at the old provider for as long as
<code>preflight</code> says: resolvers keep the old answer until then.</li>
</ol>
<p>The way out is the same: <code>GET /v1/domains/{domain}/zonefile</code> is the whole zone as a
file.</p>`

function undoWords(parts: SiteParts): Html {
  return html`<p>Every change is kept for a year with the sets as they were before
(<code>list_dns_changes</code>; <code>GET /v1/domains/{domain}/changes/{change_id}</code> has all
sets of a large one), and <code>revert_dns_change</code> brings them back. A set that was
changed since is a <code>conflict</code>, and stays.</p>
${samples(parts, 'revert_dns_change')}
<p>A change that might lock its maker out takes <code>revert_after</code>, an ISO 8601 duration
from <code>PT1M</code> to <code>PT24H</code>: without <code>confirm_dns_change</code> until then, it
goes back by itself.</p>`
}

const programWords = html`<p>A program that only proves certificates needs no more than
<a href="/docs/authentication#dns-limits">a key for these records</a>. Programs that know DNS
updates (RFC 2136) need no plugin: <code>POST /v1/domains/{domain}/tsig-keys</code> makes a TSIG key
(RFC 8945) for chosen hosts and types, and answers the server and the port.</p>
${codeBlock(
  `nsupdate, ${notRun}`,
  'nsupdate -y hmac-sha256:NAME:SECRET <<END\n' +
    'server SERVER PORT\n' +
    'zone my-agent.com\n' +
    'update add _acme-challenge.my-agent.com 60 TXT "token"\n' +
    'send\n' +
    'END',
)}
${codeBlock(
  `lego, ${notRun}`,
  'RFC2136_NAMESERVER=SERVER:PORT RFC2136_TSIG_ALGORITHM=hmac-sha256. \\\n' +
    'RFC2136_TSIG_KEY=NAME RFC2136_TSIG_SECRET=SECRET \\\n' +
    "lego --dns rfc2136 --domains my-agent.com --domains '*.my-agent.com' \\\n" +
    '  --email you@example.com run',
)}
<p>A key without hosts and types may also copy the zone (AXFR). Changes by a TSIG key are in the
audit log and in the history as all others.</p>`

const notOffered = html`<dl class="terms">
<dt>Forwarding of a URL</dt><dd>A and AAAA of a web server, or host, that answers with the
redirect.</dd>
<dt>Forwarding of mail</dt><dd>MX of a mail service that forwards.</dd>
<dt>ALIAS or ANAME at the domain itself</dt><dd>A and AAAA; beside them HTTPS with
<code>0 target.example.</code> for clients that read it (RFC 9460).</dd>
<dt>Certificates</dt><dd>A certificate authority that takes a TXT record as the proof (dns-01 of
RFC 8555); CAA says which authorities may issue.</dd>
<dt>Domain Connect as a provider</dt><dd>A template, or the records of the other service.</dd>
</dl>`
