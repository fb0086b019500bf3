// DS records of a domain (RFC 5910, dsData interface only).
import { UnwritableCommand } from '../errors.ts'
import { extensionOf, type Reply } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { childrenOf, requiredWords } from '../xml/xml.ts'
import { counted } from './command.ts'

/** `digest` in hexadecimal. */
export type DsRecord = { key_tag: number; algorithm: number; digest_type: number; digest: string }

function whole(value: number, max: number): number {
  if (!Number.isInteger(value) || value < 0 || value > max) {
    throw new UnwritableCommand(`DS record: ${value} is not 0..${max}`)
  }
  return value
}

function dsData(record: DsRecord): string {
  if (!/^([0-9A-Fa-f]{2})+$/.test(record.digest)) {
    throw new UnwritableCommand('DS record: the digest is not hexadecimal')
  }
  return (
    `<secDNS:dsData><secDNS:keyTag>${whole(record.key_tag, 65535)}</secDNS:keyTag>` +
    `<secDNS:alg>${whole(record.algorithm, 255)}</secDNS:alg>` +
    `<secDNS:digestType>${whole(record.digest_type, 255)}</secDNS:digestType>` +
    `<secDNS:digest>${record.digest}</secDNS:digest></secDNS:dsData>`
  )
}

function all(records: readonly DsRecord[]): string {
  return counted(records, 'DS records').map(dsData).join('')
}

/** For a domain create; empty without records. */
export function secDnsCreate(records: readonly DsRecord[]): string {
  if (records.length === 0) return ''
  return `<secDNS:create xmlns:secDNS="${ns.secDNS}">${all(records)}</secDNS:create>`
}

/** For a domain update; `remove: 'all'` takes every record off before the new ones come. */
export function secDnsUpdate(change: { add: DsRecord[]; remove: DsRecord[] | 'all' }): string {
  const { add, remove } = change
  if (add.length === 0 && remove.length === 0) return ''
  const removed = remove === 'all' ? '<secDNS:all>true</secDNS:all>' : remove.map(dsData).join('')
  const rem = removed === '' ? '' : `<secDNS:rem>${removed}</secDNS:rem>`
  const added = add.length === 0 ? '' : `<secDNS:add>${all(add)}</secDNS:add>`
  return `<secDNS:update xmlns:secDNS="${ns.secDNS}">${rem}${added}</secDNS:update>`
}

/** The DS records in the answer to a domain info. */
export function parseDsRecords(reply: Reply): DsRecord[] {
  const data = extensionOf(reply, ns.secDNS, 'infData')
  if (!data) return []
  return childrenOf(data, ns.secDNS, 'dsData').map((record) => ({
    key_tag: Number(requiredWords(record, ns.secDNS, 'keyTag')),
    algorithm: Number(requiredWords(record, ns.secDNS, 'alg')),
    digest_type: Number(requiredWords(record, ns.secDNS, 'digestType')),
    digest: requiredWords(record, ns.secDNS, 'digest'),
  }))
}
