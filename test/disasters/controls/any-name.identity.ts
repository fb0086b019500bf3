// Object identity without the comparison.
export { comparable } from '../../../src/epp/replies/object-identity.ts'

export function sameName(_data: unknown, _uri: string, asked: string): string {
  return asked.toLowerCase()
}

export function sameId(_data: unknown, asked: string): string {
  return asked
}

export function requireSameName(): null {
  return null
}
