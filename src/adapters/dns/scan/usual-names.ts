// Data: the names and types that a scan asks for, as zones usually have them. The list was compiled
// on 2026-11-28 from the documents for customers of the services named beside each group, and from
// the registries of IANA (underscored node names of RFC 8552, service names of RFC 6335). A line
// contains hosts, then types; "@" is the domain itself.

/** One name, relative to the domain, and the types to ask for, in this order. */
type UsualName = { host: string; types: readonly string[] }

const lines = `
# The domain itself: RFC 1035, 3596, 8659, 9460, 7553, 4025, 3403.
@ : A AAAA MX TXT NS CAA HTTPS SRV SSHFP TLSA NAPTR LOC URI TYPE99

# A site (RFC 9460 for HTTPS), and the hosts that panels of hosting make (cPanel, Plesk).
www : A AAAA HTTPS TXT
m mobile app api blog shop store cdn static assets img images media : A AAAA
dev staging stage test demo beta preview admin portal dashboard login auth sso id : A AAAA
docs help support status wiki git gitlab ci forum community news events : A AAAA
ftp sftp ssh vpn remote gateway proxy server host cloud files download : A AAAA
cpanel whm webdisk cpcalendars cpcontacts plesk phpmyadmin db mysql : A AAAA

# Mail: hosts of RFC 6186 and of mail programs (Outlook, Thunderbird).
mail : A AAAA MX TXT
smtp imap pop pop3 mx mx1 mx2 mail1 mail2 webmail email exchange relay : A AAAA
autodiscover autoconfig : A AAAA
send bounce bounces em mg mailer newsletter : A AAAA MX TXT
lyncdiscover sip enterpriseregistration enterpriseenrollment msoid : A AAAA

# Name servers of the domain's own (RFC 1035 part 3.3.11).
ns ns1 ns2 ns3 ns4 dns dns1 dns2 : A AAAA

# Policies of mail: RFC 7489, 8460, 8461, 9091; BIMI.
_dmarc : TXT
_mta-sts : TXT
mta-sts : A AAAA
_smtp._tls : TXT
default._bimi : TXT
_domainkey _adsp._domainkey : TXT

# DKIM selectors (RFC 6376): Microsoft 365, Google, Fastmail, Proton, Mailchimp, SendGrid,
# Amazon SES (its names are random), Zoho, Mailjet, Postmark, HubSpot, cPanel, OpenDKIM.
selector1._domainkey selector2._domainkey google._domainkey default._domainkey : TXT
fm1._domainkey fm2._domainkey fm3._domainkey mesmtp._domainkey : TXT
protonmail._domainkey protonmail2._domainkey protonmail3._domainkey : TXT
k1._domainkey k2._domainkey k3._domainkey s1._domainkey s2._domainkey : TXT
mail._domainkey dkim._domainkey smtp._domainkey mandrill._domainkey mailjet._domainkey : TXT
zoho._domainkey zmail._domainkey pm._domainkey mg._domainkey mx._domainkey hs1._domainkey : TXT
sig1._domainkey key1._domainkey key2._domainkey x._domainkey everlytickey1._domainkey : TXT

# Services (RFC 2782, 3263, 6120, 6186, 6764, 8620, XEP-0368, the Matrix specification).
_sip._tls _sip._tcp _sip._udp _sips._tcp _sipfederationtls._tcp : SRV
_matrix._tcp _matrix-fed._tcp _xmpp-client._tcp _xmpp-server._tcp _xmpps-client._tcp : SRV
_caldav._tcp _caldavs._tcp _carddav._tcp _carddavs._tcp : SRV
_imap._tcp _imaps._tcp _pop3._tcp _pop3s._tcp _submission._tcp _submissions._tcp : SRV
_autodiscover._tcp _ldap._tcp _kerberos._tcp _kerberos._udp _minecraft._tcp _ts3._udp : SRV
_stun._udp _turn._udp _jmap._tcp : SRV

# Proofs and keys: RFC 8555, RFC 6698, verification records of GitHub, Atproto and Vercel.
_acme-challenge _atproto _github-challenge _vercel _dnslink _psl _amazonses : TXT
_25._tcp _443._tcp _25._tcp.mail _443._tcp.www : TLSA
_dnsauth _domainconnect : TXT
`

/** The names are in the order of the list. */
export const usualNames: readonly UsualName[] = lines
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [hosts = '', types = ''] = line.split(' : ')
    return hosts.split(' ').map((host) => ({ host, types: types.split(' ') }))
  })
