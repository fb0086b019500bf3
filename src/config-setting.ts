// A setting: the reader of one variable of the environment, documented where it is declared.
import type { Reader } from './config-readers.ts'

type Setting = { name: string; preset: string; meaning: string }
const documented: Setting[] = []

export type Environment = Readonly<Record<string, string | undefined>>

export function setting<T>(
  name: string,
  read: Reader<T>,
  words: { preset: string; meaning: string },
) {
  documented.push({ name, ...words })
  return (environment: Environment): T => {
    const given = environment[name]
    return read(given === undefined || given === '' ? words.preset : given, name)
  }
}

/** Every setting with its default and meaning: .env.example is made of it. */
export function documentedSettings(): readonly Setting[] {
  return documented
}
