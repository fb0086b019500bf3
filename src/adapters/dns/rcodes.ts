// Response codes (RFC 6895 2.3).

/** The codes that we use; 16 needs EDNS. */
export const rcodes = {
  noerror: 0,
  formerr: 1,
  servfail: 2,
  nxdomain: 3,
  notimp: 4,
  refused: 5,
  yxdomain: 6,
  yxrrset: 7,
  nxrrset: 8,
  notauth: 9,
  notzone: 10,
  badvers: 16,
} as const
export const classIn = 1
