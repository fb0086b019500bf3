// The commands by name, and the texts that are made of them: the help, what a mistyped name may
// have meant, and what a shell completes.
import { buy, renew, wait } from './buy.ts'
import type { Command } from './command.ts'
import { approvals, keys, watch } from './follow.ts'
import { balance, check, dns, list, show, whoami } from './read.ts'

export const commands: Record<string, Command> = {
  whoami,
  check,
  buy,
  list,
  show,
  renew,
  dns,
  balance,
  wait,
  approvals,
  keys,
  watch,
}

/** Those that main.ts runs itself. */
const others: Record<string, { usage: string; summary: string }> = {
  login: { usage: 'login --api-key -', summary: 'keep the API key that standard input gives' },
  logout: { usage: 'logout', summary: 'drop the kept API key' },
  mcp: { usage: 'mcp', summary: 'MCP for clients that speak stdio' },
  completion: { usage: 'completion bash|zsh|fish', summary: 'a script for the shell' },
  help: { usage: 'help', summary: 'this text' },
}

const all = { ...commands, ...others }
export const names = Object.keys(all)

export function help(): string[] {
  const lines = Object.values(all).flatMap(({ usage, summary }) =>
    usage.length > 26 ? [`  ${usage}`, `${' '.repeat(28)}${summary}`] : [line(usage, summary)],
  )
  return [
    'Usage: agent-registrar COMMAND [--url URL] [--json] [--quiet]',
    '',
    ...lines,
    '',
    'AGENT_REGISTRAR_URL names the service, AGENT_REGISTRAR_API_KEY has the API key.',
    'Exit: 0 done, 1 refused, 2 usage, 3 not logged in, 4 approval required,',
    '      5 insufficient funds, 6 unavailable, 130 interrupted',
  ]
}

function line(usage: string, summary: string): string {
  return `  ${usage.padEnd(26)}${summary}`
}

/** The command that is at most two characters away, or null. */
export function meant(word: string): string | null {
  const near = names.map((name) => ({ name, far: distance(word, name) }))
  const [best] = near.sort((a, b) => a.far - b.far)
  return best !== undefined && best.far <= 2 ? best.name : null
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, character] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const same = (row[column] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(same, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

export function completion(shell: string | undefined): string | null {
  const words = names.join(' ')
  const bash = `complete -W '${words}' agent-registrar`
  if (shell === 'bash') return bash
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash}`
  if (shell === 'fish')
    return `complete -c agent-registrar -f -n __fish_use_subcommand -a '${words}'`
  return null
}
