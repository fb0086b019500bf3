// The XML namespaces of the simulated registries.
export const EPP = 'urn:ietf:params:xml:ns:epp-1.0'
export const DOMAIN = 'urn:ietf:params:xml:ns:domain-1.0'
export const CONTACT = 'urn:ietf:params:xml:ns:contact-1.0'
export const HOST = 'urn:ietf:params:xml:ns:host-1.0'
export const FEE = 'urn:ietf:params:xml:ns:epp:fee-1.0'
export const RGP = 'urn:ietf:params:xml:ns:rgp-1.0'
export const SEC_DNS = 'urn:ietf:params:xml:ns:secDNS-1.1'
export const LOGIN_SEC = 'urn:ietf:params:xml:ns:epp:loginSec-1.0'

export const EXTENSIONS = [FEE, RGP, SEC_DNS, LOGIN_SEC]
