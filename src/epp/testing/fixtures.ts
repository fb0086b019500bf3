// For tests: the sample frames beside this folder.
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../fixtures/', import.meta.url)

export const fixtureNames: string[] = readdirSync(folder).filter((name) => name.endsWith('.xml'))

export function fixture(name: string): Buffer {
  return readFileSync(new URL(name, folder))
}
