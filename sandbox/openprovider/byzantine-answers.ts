// Byzantine answers of the simulated Openprovider: false dates, or the name of another domain.
import {
  falseCreation,
  falseExpiry,
  isNameLie,
  type Lie,
} from '../registry/faults/byzantine-answers.ts'
import { isFields } from './field-parser.ts'

const EXPIRIES = ['expiration_date', 'renewal_date', 'registry_expiration_date']
const CREATIONS = ['activation_date', 'active_date', 'creation_date']

/** A copy of an answer's data with the lie in it, at any depth. */
export function lyingData(data: unknown, lie: Lie, now: number): unknown {
  if (Array.isArray(data)) return data.map((one) => lyingData(one, lie, now))
  if (!isFields(data)) return data
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => {
      return [field, falseField(field, value, { lie, now }) ?? lyingData(value, lie, now)]
    }),
  )
}

function falseField(field: string, value: unknown, { lie, now }: { lie: Lie; now: number }) {
  if (isNameLie(lie)) {
    if (field !== 'domain') return null
    if (typeof value === 'string') return `other-${value}`
    return isFields(value) ? { ...value, name: `other-${value.name}` } : null
  }
  if (typeof value !== 'string') return null
  if (CREATIONS.includes(field)) return theirs(falseCreation(lie))
  const expiry = EXPIRIES.includes(field) ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number.NaN
  return Number.isNaN(expiry) ? null : theirs(falseExpiry(lie, expiry, now))
}

/** In their form of moments. */
function theirs(moment: string | null): string | null {
  return moment?.replace(/^(\d+-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, '$1 $2') ?? null
}
