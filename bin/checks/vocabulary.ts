// A lint of words: refuses the private words in vocabulary.txt, so that standard terms find the
// code, and test titles that begin with the number of a list that is not in the project.
import type { Complaint, Tree } from './tree.ts'

const LIST = 'bin/checks/vocabulary.txt'

type Term = { pattern: RegExp; instead: string; unless: RegExp | null }
type Use = { file: string; line: number; form: string; instead: string }

/** Every private word, with its line and the words to use. */
export function checkVocabulary(tree: Tree): Complaint[] {
  return uses(tree).map(
    ({ file, line, form, instead }) => `${file}:${line} has "${form}"; use: ${instead}`,
  )
}

function uses(tree: Tree): Use[] {
  const terms = readTerms(tree)
  return tree.files.filter(isOurs).flatMap((file) => {
    const text = tree.read(file)
    const lines = text.split('\n')
    const words = apart(text)
    const found = terms.flatMap(({ pattern, instead, unless }) => {
      const found = new Map<string, Use>()
      for (const { index, 0: form } of words.matchAll(pattern)) {
        const line = words.slice(0, index).split('\n').length
        if (unless?.test(lines[line - 1] ?? '')) continue
        const plain = form.toLowerCase().replaceAll(/\s+/g, ' ')
        found.set(`${line} ${plain}`, { file, line, form: plain, instead })
      }
      return [...found.values()]
    })
    return [...found, ...openings(file, lines), ...numbered(file, text)]
  })
}

const comment = /^\s*(?:\/\/|\/\*\*|\*|--)\s*(?:.*[.:] )?(Who|Whoever|Whom|Whose|What|Nobody)\b/
const title = /\b(?:test|it|describe)\(\s*['"`](who|whoever|whom|whose|what|nobody)\b/i

/** A first line names a pattern: no clause, no question, and no HTTP method as its verb. */
const first =
  /^\/\/ (Why|How|When|Where|Whether|Which|Until|Is|Are|(?:GET|POST|PUT|PATCH|DELETE)(?= [a-z]))\b/

/**
 * Comments, their sentences and test titles whose subject is a pronoun (except in questions), and
 * first lines that begin with a clause.
 */
function openings(file: string, lines: readonly string[]): Use[] {
  if (!/\.(tsx?|sql)$/.test(file)) return []
  return lines.flatMap((line, i) => {
    const clause = i === 0 ? first.exec(line)?.[1] : undefined
    const pronoun = line.includes('?') ? undefined : (comment.exec(line) ?? title.exec(line))?.[1]
    const form = clause ?? pronoun
    if (!form) return []
    const instead = 'the code, the request or the user as the subject'
    return [{ file, line: i + 1, form: form.toLowerCase(), instead }]
  })
}

/** Matches `check 49`, `W3:` or `W3, W4:`. The title may be on the next line. */
const numberedTitle =
  /\b(?:test|it|describe|suite)(?:\.\w+)?\(\s*['"`](check \d+\b|[A-Z]\d+(?:, [A-Z]\d+)*:)/g

/** Test titles that begin with the number of an entry in a list that the reader does not have. */
function numbered(file: string, text: string): Use[] {
  if (!/\.tsx?$/.test(file)) return []
  return Array.from(text.matchAll(numberedTitle), (match) => {
    const line = text.slice(0, match.index).split('\n').length
    return { file, line, form: `${match[1]}`, instead: 'the fault or the promise in words' }
  })
}

/** Splits identifiers, so that `readTruthOf` and `read_truth` become separate words. */
function apart(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
}

/** The check skips foreign data, generated and immutable files, and its own lists. */
const passed = [
  /^test\/shards\/durations\.json$/,
  /(^|\/)outside\//,
  /\/fixtures\/.*\.(?!ts$)[^.]+$/,
  /\.gen\.ts$|lock\.json$/,
  /^bin\/checks\/vocabulary/,
]

function isOurs(file: string): boolean {
  return (
    /\.(tsx?|md|cjs|mjs|sql|yaml|json|pl|sh)$|^(bin|\.ci)\/[^.]+$/.test(file) &&
    !passed.some((path) => path.test(file))
  )
}

/** The parts of each line that is neither empty nor a comment. */
function rows(tree: Tree, file: string, between: string): string[][] {
  if (!tree.files.includes(file)) return []
  return tree
    .read(file)
    .split('\n')
    .map((text) => text.split(between).map((part) => part.trim()))
    .filter(([first]) => first && !first.startsWith('#'))
}

function listed(part: string | undefined): string[] {
  return (part ?? '').split(',').flatMap((form) => form.trim().toLowerCase() || [])
}

function readTerms(tree: Tree): Term[] {
  return rows(tree, LIST, ' | ').map(([names, instead = '', unless]) => {
    const forms = listed(names).join('|').replaceAll(' ', '\\s+')
    return {
      pattern: new RegExp(`\\b(?:${forms})\\b`, 'gi'),
      instead,
      unless: unless ? new RegExp(unless) : null,
    }
  })
}
