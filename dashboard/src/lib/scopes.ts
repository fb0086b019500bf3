// Scopes of API keys: the presets and groups of shared/scopes.ts, with the types of the API.
import type { ApiKeyResponse } from 'sdk'
import {
  isInPreset,
  type PresetName,
  presetNames,
  type ScopeFacts,
  scopeFacts,
  scopeTexts,
  withoutIncluded,
} from '../../../shared/scopes.ts'

export type Scope = ApiKeyResponse['scopes'][number]

const facts: Readonly<Record<Scope, ScopeFacts>> = scopeFacts
const all = objectKeys(scopeFacts)

function objectKeys<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = []
  for (const key in record) keys.push(key)
  return keys
}

export const scopeGroups = objectKeys(scopeTexts.groups).map((key) => ({
  key,
  scopes: all.filter((scope) => facts[scope].group === key),
}))

const scopesOf = (name: PresetName): readonly Scope[] =>
  withoutIncluded(
    all.filter((scope) => isInPreset(facts[scope], name)),
    facts,
  )

export const presets: Readonly<Record<PresetName, readonly Scope[]>> = {
  read: scopesOf('read'),
  manage: scopesOf('manage'),
  buy: scopesOf('buy'),
  dns: scopesOf('dns'),
}

/** Scopes that no preset has, because they move domains away or give access to others. */
export function isSensitiveScope(scope: Scope): boolean {
  return facts[scope].preset === null
}

export function wordsOfScope(scope: Scope): string {
  return facts[scope].words
}

/** The scope among the others that includes this one, or null if none does. */
export function includingScope(scope: Scope, others: readonly Scope[]): Scope | null {
  return others.find((one) => one === facts[scope].within) ?? null
}

/** The scopes with one more, in the order of the service. */
export function withScope(scopes: readonly Scope[], added: Scope): Scope[] {
  return withoutIncluded([...scopes, added], facts)
}

/** The preset of exactly these scopes, or null if there is none. */
export function presetOf(scopes: readonly Scope[]): PresetName | null {
  const isSame = (preset: PresetName) =>
    presets[preset].length === scopes.length && presets[preset].every((one) => scopes.includes(one))
  return presetNames.find(isSame) ?? null
}
