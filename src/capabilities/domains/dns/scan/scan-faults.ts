// Faults of scans of DNS records.
import { fault } from '../../../../kit/fault.ts'

export const dnsScanUnderWay = fault('dns_scan_under_way', 'limited', {
  sentence: 'A scan of DNS records is in progress in this account, which makes one at a time.',
  hint: 'Wait for its answer, or try again after Retry-After: a scan takes up to a minute.',
})
export const tooManyDnsScans = fault('too_many_dns_scans', 'limited', {
  sentence: 'The account has made its scans of DNS records of this hour.',
  hint: 'Try again after Retry-After, or import a zone file that the present DNS host exports.',
})
