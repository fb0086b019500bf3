// Scripts that complete commands, their forms (such as "keys revoke") and their options in a shell.
import { optionLine, options } from './arguments.ts'
import { described } from './commands/index.ts'

const common = ['--url', '--json', '--quiet', '--no-color', '--help']
type Choices = { words: string[]; options: string[]; summary: string }

/** The second words and the options that each command knows. */
function choices(): Map<string, Choices> {
  return new Map(
    Object.entries(described).map(([name, { usage, flags = [], summary }]) => {
      const words = usage.flatMap((form) => (form.split(' ')[1] ?? '').split('|'))
      const fixed = words.filter((word) => /^[a-z]+$/.test(word))
      const own = flags.map((flag) => `--${flag}`)
      return [name, { words: [...new Set(fixed)], options: [...own, ...common], summary }]
    }),
  )
}

export function completion(shell: string | undefined): string | null {
  if (shell === 'bash') return bash()
  if (shell === 'zsh') return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`
  return shell === 'fish' ? fish() : null
}

function bash(): string {
  const names = [...choices().keys()].join(' ')
  const cases = [...choices()].map(
    ([name, { words, options: own }]) =>
      `    ${name}) words='${words.join(' ')}'; options='${own.join(' ')}' ;;`,
  )
  return [
    '_agent_registrar() {',
    `  local current="\${COMP_WORDS[COMP_CWORD]}" words="" options=""`,
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words='${names}'; options='--version --help'; fi`,
    '  [ "$COMP_CWORD" -gt 2 ] && words=""',
    '  case "$current" in -*) words="$options" ;; esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    'complete -F _agent_registrar agent-registrar',
  ].join('\n')
}

function fish(): string {
  const begin = 'complete -c agent-registrar -f'
  const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`
  const lines = [...choices()].flatMap(([name, { words, summary }]) => {
    const within = `-n '__fish_seen_subcommand_from ${name}'`
    const own = (described[name]?.flags ?? []).map((flag) => {
      const takes = 'value' in options[flag] ? ' -r' : ''
      return `${begin} ${within} -l ${flag}${takes} -d ${quoted(optionLine(flag)[1])}`
    })
    const seconds = words.length === 0 ? [] : [`${begin} ${within} -a ${quoted(words.join(' '))}`]
    const first = `${begin} -n __fish_use_subcommand -a ${quoted(name)} -d ${quoted(summary)}`
    return [first, ...seconds, ...own]
  })
  const shared = (['url', 'json', 'quiet', 'no-color', 'help'] as const).map(
    (flag) => `${begin} -l ${flag} -d ${quoted(optionLine(flag)[1])}`,
  )
  return [...lines, ...shared].join('\n')
}
