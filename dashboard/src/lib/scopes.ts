// Scopes in groups, and the presets of an API key. Each preset includes the one before.
import type { ApiKeyResponse } from 'sdk'

export type Scope = ApiKeyResponse['scopes'][number]
type Preset = 'read' | 'manage' | 'buy'

export const scopeGroups = [
  { key: 'domains', scopes: ['domains:read', 'domains:write', 'domains:transfer'] },
  { key: 'money', scopes: ['billing:read', 'domains:purchase', 'billing:write'] },
  { key: 'contacts', scopes: ['contacts:read', 'contacts:write'] },
  {
    key: 'account',
    scopes: ['account:read', 'account:write', 'keys:read', 'keys:write', 'audit:read'],
  },
  { key: 'support', scopes: ['support:read', 'support:write'] },
] as const satisfies readonly { key: string; scopes: readonly Scope[] }[]

const read: readonly Scope[] = [
  'account:read',
  'contacts:read',
  'domains:read',
  'billing:read',
  'keys:read',
  'audit:read',
  'support:read',
]
const manage: readonly Scope[] = [...read, 'contacts:write', 'domains:write', 'support:write']

export const presets: Readonly<Record<Preset, readonly Scope[]>> = {
  read,
  manage,
  buy: [...manage, 'domains:purchase'],
}

export const presetNames = ['read', 'manage', 'buy'] as const satisfies readonly Preset[]

/** Those that no preset has: they move domains away, or give access to others. */
export function isSensitiveScope(scope: Scope): boolean {
  return !presets.buy.includes(scope)
}

/** The preset of exactly these scopes; null: another selection. */
export function presetOf(scopes: readonly Scope[]): Preset | null {
  const isSame = (preset: Preset) =>
    presets[preset].length === scopes.length && presets[preset].every((one) => scopes.includes(one))
  return presetNames.find(isSame) ?? null
}
