// Domain <create> (RFC 5731 section 3.2.1), with the agreed fee (RFC 8748) and DS records (RFC
// 5910).
import { childMoment } from '../replies/dates.ts'
import { requireSameName, sameName } from '../replies/object-identity.ts'
import { dataOf } from '../replies/reply.ts'
import { ns } from '../xml/namespaces.ts'
import { type Command, commandFrame, each, identifier, label, password, years } from './command.ts'
import { type Fee, feeAgreed } from './fee.ts'
import { addressList } from './host-create.ts'
import { type DsRecord, secDnsCreate } from './secdns.ts'

export type HostModel = 'hostObj' | 'hostAttr'
export type ContactType = 'admin' | 'tech' | 'billing'
/** Addresses of name servers by host, for the model hostAttr: host objects have their own. */
export type Glue = Readonly<Record<string, readonly string[]>>

export type DomainCreateInput = {
  name: string
  period_years: number
  nameservers: readonly string[]
  glue?: Glue
  host_model: HostModel
  registrant: string | null
  contacts: readonly { type: ContactType; id: string }[]
  /** May be empty (RFC 9154 section 4.1). */
  auth_info: string
  fee: Fee | null
  ds_records: readonly DsRecord[]
}
/** A date that is left out, or cannot be read, is null: domain:info has it. */
type DomainCreated = {
  name: string
  created_at: string | null
  expires_at: string | null
}

type Nameservers = { nameservers: readonly string[]; host_model: HostModel; glue?: Glue }

/** `<domain:ns>` in the registry's model; empty without name servers. */
export function nameserverList({ nameservers, host_model, glue = {} }: Nameservers): string {
  if (nameservers.length === 0) return ''
  const list = each(nameservers, (host) => {
    if (host_model === 'hostObj') return `<domain:hostObj>${label(host)}</domain:hostObj>`
    const addresses = Object.hasOwn(glue, host) ? (glue[host] ?? []) : []
    const inside = `<domain:hostName>${label(host)}</domain:hostName>`
    const glued = `${inside}${addressList(addresses, 'domain:hostAddr')}`
    return `<domain:hostAttr>${glued}</domain:hostAttr>`
  })
  return `<domain:ns>${list}</domain:ns>`
}

export const domainCreate: Command<DomainCreateInput, DomainCreated> = {
  name: 'domain create',
  transforms: true,
  frame(input, cl_trid) {
    const registrant =
      input.registrant === null
        ? ''
        : `<domain:registrant>${identifier(input.registrant)}</domain:registrant>`
    const contacts = input.contacts.map(
      ({ type, id }) => `<domain:contact type="${type}">${identifier(id)}</domain:contact>`,
    )
    const action =
      `<create><domain:create xmlns:domain="${ns.domain}">` +
      `<domain:name>${label(input.name)}</domain:name>${years('domain', input.period_years)}` +
      `${nameserverList(input)}${registrant}${contacts.join('')}` +
      `<domain:authInfo><domain:pw>${password(input.auth_info)}</domain:pw></domain:authInfo>` +
      '</domain:create></create>'
    const secDns = secDnsCreate(input.ds_records)
    return commandFrame(cl_trid, action, feeAgreed('create', input.fee), secDns)
  },
  identify: (reply, { name }) => requireSameName(reply, ns.domain, name),
  parse(reply, { name }) {
    const data = dataOf(reply, ns.domain, 'creData')
    return {
      name: sameName(data, ns.domain, name),
      created_at: childMoment(data, ns.domain, 'crDate'),
      expires_at: childMoment(data, ns.domain, 'exDate'),
    }
  },
}
