// The XML namespaces that we speak. The URIs are also what a greeting lists and a log-in asks for.

export const ns = {
  epp: 'urn:ietf:params:xml:ns:epp-1.0',
  domain: 'urn:ietf:params:xml:ns:domain-1.0',
  contact: 'urn:ietf:params:xml:ns:contact-1.0',
  host: 'urn:ietf:params:xml:ns:host-1.0',
  rgp: 'urn:ietf:params:xml:ns:rgp-1.0',
  secDNS: 'urn:ietf:params:xml:ns:secDNS-1.1',
  fee: 'urn:ietf:params:xml:ns:epp:fee-1.0',
  loginSec: 'urn:ietf:params:xml:ns:epp:loginSec-1.0',
} as const

/** RFC 5730 section 2: the version and language that we ask for at log-in. */
export const protocol_version = '1.0'
export const language = 'en'
