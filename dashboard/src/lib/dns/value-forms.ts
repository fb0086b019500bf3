// Forms of record types: the fields that a content has, and how they make up its presentation form.
import { examples, typeTexts as texts } from '../../messages/dns/type-texts.ts'
import { plainText } from './plain-text.ts'

export type Part = {
  label: string
  hint?: string
  placeholder?: string
  isNumber?: true
  isLong?: true
  options?: readonly { value: string; label: string }[]
}
export type ValueForm = {
  parts: readonly Part[]
  /** The parts of a new content. */
  empty: readonly string[]
  /** The parts of a content, or null if it does not have these parts. */
  split: (value: string) => readonly string[] | null
  join: (parts: readonly string[]) => string
  isSingle?: true
}

const words =
  (count: number) =>
  (value: string): readonly string[] | null => {
    const parts = value.split(' ')
    return parts.length === count ? parts : null
  }
const joined = (parts: readonly string[]) => parts.map((one) => one.trim()).join(' ')

function formOf(parts: readonly Part[], empty?: readonly string[]): ValueForm {
  return {
    parts,
    empty: empty ?? parts.map(() => ''),
    split: words(parts.length),
    join: joined,
  }
}

const number = (label: string): Part => ({ label, isNumber: true })
const priority = number(texts.priority)
const hostname = (label: string, placeholder: string): Part => ({ label, placeholder })
const tried = { hint: texts.priorityHint }

/** The form of any content, as one line. */
function lineForm(example: string): ValueForm {
  const part = { label: texts.content, hint: texts.contentHint(example) }
  return { ...formOf([part]), split: (value) => [value], join: ([value = '']) => value }
}

const caa: ValueForm = {
  ...formOf(
    [
      {
        label: texts.kind,
        options: Object.entries(texts.kinds).map(([value, label]) => ({ value, label })),
      },
      hostname(texts.authority, 'letsencrypt.org'),
      number(texts.flags),
    ],
    ['issue', '', '0'],
  ),
  split: (value) => {
    const [, flags = '', kind = '', authority = ''] = /^(\d+) (\w+) "([^"\\]*)"$/.exec(value) ?? []
    return kind in texts.kinds ? [kind, authority, flags] : null
  },
  join: ([kind = '', authority = '', flags = '']) =>
    `${flags.trim()} ${kind} "${authority.trim().replaceAll(/["\\]/g, '\\$&')}"`,
}

const text: ValueForm = {
  ...formOf([{ label: texts.text, hint: texts.textHint, isLong: true }]),
  split: (value) => [plainText(value)],
  join: ([value = '']) => value,
}

const forms: ReadonlyMap<string, ValueForm> = new Map([
  ['A', formOf([{ label: texts.ipv4, placeholder: '192.0.2.1' }])],
  ['AAAA', formOf([{ label: texts.ipv6, placeholder: '2001:db8::1' }])],
  [
    'CNAME',
    {
      ...formOf([{ ...hostname(texts.target, 'shop.example.net'), hint: texts.targetHint }]),
      isSingle: true,
    },
  ],
  [
    'MX',
    formOf([priority, { ...hostname(texts.mailServer, 'mail.example.net'), ...tried }], ['10', '']),
  ],
  ['TXT', text],
  [
    'SRV',
    formOf(
      [
        priority,
        number(texts.weight),
        number(texts.port),
        { ...hostname(texts.server, 'sip.example.net'), ...tried },
      ],
      ['10', '0', '', ''],
    ),
  ],
  ['CAA', caa],
  ['NS', formOf([hostname(texts.nameServer, 'ns1.example.net')])],
  ['DS', lineForm(examples.DS)],
  ['HTTPS', lineForm(examples.HTTPS)],
  ['SVCB', lineForm(examples.SVCB)],
  ['TLSA', lineForm(examples.TLSA)],
  ['SSHFP', lineForm(examples.SSHFP)],
])

export const formTypes: readonly string[] = [...forms.keys()]

/** The form of a type that can show all of these contents. */
export function valueForm(type: string, values: readonly string[] = []): ValueForm {
  const fitting = forms.get(type) ?? lineForm(examples.other)
  const isFit = values.every((value) => fitting.split(value) !== null)
  return isFit
    ? fitting
    : { ...lineForm(values[0] ?? ''), ...(fitting.isSingle && { isSingle: true }) }
}

/** A content as people read it. */
export function readable(type: string, value: string): string {
  return type === 'TXT' ? plainText(value) : value
}
