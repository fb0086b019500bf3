// Byzantine answers of the simulated Openprovider: false dates, or the name of another domain.
import {
  type ByzantineAnswer,
  falsifiedCreationDate,
  falsifiedExpiry,
  isFalseName,
} from '../support/byzantine-answers.ts'
import { isFields } from './field-parser.ts'

const EXPIRIES = ['expiration_date', 'renewal_date', 'registry_expiration_date']
const CREATIONS = ['activation_date', 'active_date', 'creation_date']

/** A copy of an answer's data with the false values, at any depth. */
export function falsifyData(data: unknown, fault: ByzantineAnswer, now: number): unknown {
  if (Array.isArray(data)) return data.map((one) => falsifyData(one, fault, now))
  if (!isFields(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      return [field, falseField(field, value, { fault, now }) ?? falsifyData(value, fault, now)]
    }),
  )
}

function falseField(
  field: string,
  value: unknown,
  { fault, now }: { fault: ByzantineAnswer; now: number },
) {
  if (isFalseName(fault)) {
    if (field !== 'domain') return null
    if (typeof value === 'string') return `other-${value}`
    return isFields(value) ? { ...value, name: `other-${value.name}` } : null
  }
  if (typeof value !== 'string') return null
  if (CREATIONS.includes(field)) return theirs(falsifiedCreationDate(fault))
  const expiry = EXPIRIES.includes(field) ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN
  return Number.isNaN(expiry) ? null : theirs(falsifiedExpiry(fault, expiry, now))
}

/** A date in Openprovider's format. */
function theirs(moment: string | null): string | null {
  return moment?.replace(/^(\d+-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, '$1 $2') ?? null
}
