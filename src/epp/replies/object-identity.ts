// Object identity: an answer counts only when it names the object that its command named (RFC 5731
// to 5733: creData, renData, trnData, infData and chkData all carry it).
import { parseHost } from '../../kit/net/host.ts'
import { GarbageInput } from '../errors.ts'
import { ns } from '../xml/namespaces.ts'
import { type Element, requiredWords } from '../xml/xml.ts'
import type { Reply } from './reply.ts'

/** A name as it is compared: case, a final dot and U-labels make no difference. */
export function comparable(name: string): string {
  return parseHost(name) ?? name.toLowerCase()
}

/** The name in `data`, as it was asked for. Throws GarbageInput when it names another object. */
export function sameName(data: Element, uri: string, asked: string): string {
  const answered = requiredWords(data, uri, 'name')
  if (comparable(answered) === comparable(asked)) return asked.toLowerCase()
  throw new GarbageInput(`<${data.local}> is about ${answered}, not about ${asked}`)
}

/** The same for a contact's identifier, which some registries write in another case. */
export function sameId(data: Element, asked: string): string {
  const answered = requiredWords(data, ns.contact, 'id')
  if (answered.toLowerCase() === asked.toLowerCase()) return asked
  throw new GarbageInput(`<${data.local}> is about ${answered}, not about ${asked}`)
}

/** For answers whose data may be left out: where it is there, it must be about `asked`. */
export function requireSameName(reply: Reply, uri: string, asked: string): null {
  for (const data of reply.data) if (data.uri === uri) sameName(data, uri, asked)
  return null
}
