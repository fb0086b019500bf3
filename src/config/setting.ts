// A setting: the reader of one variable of the environment, documented where it is declared.
import { readFileSync } from 'node:fs'
import { type Reader, SettingError } from './readers.ts'

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
    return read(variableOf(environment, name) ?? words.preset, name)
  }
}

/**
 * The text of a variable: its own, or that of the file at NAME_FILE, which is how systemd, Docker
 * and Kubernetes pass secrets. A line break at the end does not count. It is undefined if neither
 * is set.
 */
export function variableOf(environment: Environment, name: string): string | undefined {
  const [own, path] = [environment[name], environment[`${name}_FILE`]]
  if (own && path) throw new SettingError(name, `is set, and so is ${name}_FILE: set one of them`)
  return own || (path && textOf(path, `${name}_FILE`)) || undefined
}

/**
 * An empty text is a secret that was not delivered; without this check, a new key would be made
 * silently.
 */
function textOf(path: string, name: string): string {
  const text = readText(path, name).replace(/\r?\n$/, '')
  if (text.trim() === '') throw new SettingError(name, `names an empty file: ${path}`)
  return text
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error
    throw new SettingError(name, `names a file that cannot be read: ${path} (${why})`)
  }
}

/** Every setting with its default and meaning, from which .env.example is made. */
export function documentedSettings(): readonly Setting[] {
  return documented
}
