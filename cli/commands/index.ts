// The commands by name, and the help that is generated from them.
import { type FlagName, optionLine } from '../arguments.ts'
import { nearest } from '../nearest.ts'
import { whoami } from './account.ts'
import { approvals } from './approvals.ts'
import type { Command } from './command.ts'
import { dns } from './dns.ts'
import { autoRenew, lock, nameservers, unlock } from './domain-changes.ts'
import { keys } from './keys.ts'
import { buy, renew, restore, wait } from './purchases.ts'
import { balance, check, list, runway, show } from './read.ts'
import { receipt } from './receipt.ts'
import { summary } from './summary.ts'
import { topUp } from './top-up.ts'
import { transfer } from './transfers.ts'
import { watch } from './watch.ts'

export const commands: Record<string, Command> = {
  whoami,
  check,
  buy,
  list,
  summary,
  show,
  renew,
  restore,
  'auto-renew': autoRenew,
  dns,
  nameservers,
  transfer,
  lock,
  unlock,
  balance,
  'top-up': topUp,
  runway,
  wait,
  receipt,
  approvals,
  keys,
  watch,
}

/** The commands that need no client. */
const others: Record<string, Omit<Command, 'run'>> = {
  login: {
    usage: ['login [--scope SCOPE]... [--open]', 'login --api-key -'],
    summary: 'log in with a code, or store an API key',
    flags: ['api-key', 'scope', 'open'],
  },
  logout: { usage: ['logout'], summary: 'end the log-in, or remove the stored API key' },
  mcp: { usage: ['mcp'], summary: 'MCP for clients that speak stdio' },
  completion: { usage: ['completion bash|zsh|fish'], summary: 'a script for the shell' },
  help: { usage: ['help [COMMAND]'], summary: 'this text, or that of a command' },
}

export const described: Record<string, Omit<Command, 'run'>> = { ...others, ...commands }
export const names = Object.keys(described)

export function help(): string[] {
  const lines = Object.entries(described).map(
    ([name, { summary }]) => `  ${name.padEnd(13)}${summary}`,
  )
  return [
    'Usage: agent-registrar COMMAND [WORDS] [OPTIONS]',
    '',
    ...lines,
    '',
    'agent-registrar help COMMAND shows the forms and options of a command.',
    'AGENT_REGISTRAR_URL or --url names the service. An API key may be in',
    'AGENT_REGISTRAR_API_KEY. --json prints one JSON document.',
    'Exit: 0 done, 1 refused, 2 usage, 3 not logged in, 4 approval required,',
    '      5 insufficient funds, 6 unavailable, 130 interrupted',
  ]
}

export function helpFor(name: string): string[] {
  const { usage = [], summary = '', flags = [] } = described[name] ?? {}
  const [first = '', ...more] = usage
  const common = ['url', 'json', 'quiet', 'no-color'] as const
  return [
    `Usage: agent-registrar ${first}`,
    ...more.map((form) => `       agent-registrar ${form}`),
    '',
    `  ${summary}`,
    '',
    ...[...flags, ...common].map((flag) => {
      const [option, words] = optionLine(flag)
      return `  ${option.padEnd(26)}${words}`
    }),
  ]
}

export function flagsOf(name: string): readonly FlagName[] {
  return described[name]?.flags ?? []
}

/** The command that is at most two characters away, or null if there is none. */
export function closestCommand(word: string): string | null {
  return nearest(word, names)
}
