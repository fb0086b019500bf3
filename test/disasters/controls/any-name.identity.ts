// Object identity without the comparison.
export * from '../../../src/epp/replies/reply.ts'

export function sameName(_data: unknown, _uri: string, asked: string): string {
  return asked.toLowerCase()
}

export function sameId(_data: unknown, asked: string): string {
  return asked
}

export function requireSameName(): null {
  return null
}
