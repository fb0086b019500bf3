// The DNS records that an owner lets an app change, on the consent page: hosts and types.
import { type Limits, type LimitsRow, limitsBody } from '../../capabilities/limits/index.ts'
import { type Html, html } from '../../kit/html.ts'

export type DnsLimit = NonNullable<Limits['dns']>
/** The choice as it was typed: items with commas or spaces between them, or empty for all. */
export type DnsChoice = { hosts: string; types: string }
export type DnsProblem = 'dns_hosts' | 'dns_types'

const longest = 4_000
export const noDnsChoice: DnsChoice = { hosts: '', types: '' }

/** The limit that the app has already, or else none. */
export function firstDnsChoice(row: LimitsRow | undefined, now: Date): DnsChoice {
  const { dns } = limitsBody(row, now)
  return { hosts: dns?.hosts?.join(', ') ?? '', types: dns?.types?.join(', ') ?? '' }
}

/** Null if the form has no such fields; the limit of the app then stays. */
export function dnsChoiceIn(fields: URLSearchParams): DnsChoice | null {
  const [hosts, types] = [fields.get('dns_hosts'), fields.get('dns_types')]
  if (hosts === null && types === null) return null
  return { hosts: hosts?.slice(0, longest) ?? '', types: types?.slice(0, longest) ?? '' }
}

/** The limit as a request has it, or null for no limit. */
export function dnsLimitOf({ hosts, types }: DnsChoice): DnsLimit | null {
  const limit = { hosts: itemsOf(hosts), types: itemsOf(types) }
  return limit.hosts || limit.types ? limit : null
}

function itemsOf(text: string): string[] | null {
  const items = text.split(/[\s,;]+/).filter(Boolean)
  return items.length > 0 ? items : null
}

/** The limit in words, as in "TXT records at _acme-challenge*". */
export function dnsWords({ hosts, types }: DnsLimit): string {
  return `${types?.join(', ') ?? 'DNS'} records${hosts ? ` at ${hosts.join(', ')}` : ''}`
}

export const dnsProblemWords: Readonly<Record<DnsProblem, string>> = {
  dns_hosts: 'Type hosts relative to the domain, such as www, @ or _acme-challenge*; at most 100.',
  dns_types: 'Type types of DNS records, such as TXT or CAA; at most 30.',
}

/** The fields are closed unless they have something to show, because few apps change records. */
export function dnsFields(choice: DnsChoice, problem: DnsProblem | null): Html {
  const isOpen = problem !== null || choice.hosts !== '' || choice.types !== ''
  return html`<details class="limit"${isOpen ? html` open` : null}>
<summary>Limit the DNS records that it may change</summary>
${field({ name: 'dns_hosts', label: 'Only these hosts', hint: hostsHint }, choice.hosts, problem)}
${field({ name: 'dns_types', label: 'Only these types', hint: typesHint }, choice.types, problem)}
</details>`
}

const hostsHint =
  'Hosts are relative to the domain: www, or @ for the domain itself. * stands for any text, as ' +
  'in _acme-challenge*. Leave it empty for all hosts.'
const typesHint = 'For example TXT, CAA. Leave it empty for all types.'

type Field = { name: DnsProblem; label: string; hint: string }

function field({ name, label, hint }: Field, value: string, problem: DnsProblem | null): Html {
  const isProblem = problem === name
  const state = isProblem
    ? html` aria-invalid="true" aria-describedby="${name}-problem ${name}-hint" autofocus`
    : html` aria-describedby="${name}-hint"`
  const words = html`<p class="problem-text" id="${name}-problem">${dnsProblemWords[name]}</p>`
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" maxlength="${longest}" autocomplete="off"
 autocapitalize="none" spellcheck="false"${state}>
${isProblem ? words : null}
<p class="small" id="${name}-hint">${hint}</p></div>`
}
