// A lint of prose: refuses fragments that a reader takes for half a sentence, in comments, in
// descriptions of the API and in documents.
import type { Complaint, Tree } from '../tree.ts'

const heading = 'begins with "Of"; use: a phrase whose subject is the thing itself'
const clause = 'has a clause without a verb after "null:"; use: "null if ..." or "null while ..."'

/** One complaint for each fragment. */
export function checkProse(tree: Tree): Complaint[] {
  return tree.files.filter(isChecked).flatMap((file) => {
    const lines = tree.read(file).split('\n')
    return lines.flatMap((line, i) => [
      ...(isHeading(file, line, lines[i - 1] ?? '') ? [`${file}:${i + 1} ${heading}`] : []),
      ...(/[;,] null:(?!:)/.test(line) ? [`${file}:${i + 1} ${clause}`] : []),
    ])
  })
}

/** Generated files, and migrations, which never change once they are on a database. */
const passed = [
  // It shows the patterns as examples.
  /^CONTRIBUTING\.md$/,
  /^bin\/checks\/prose\//,
  /^docs\/database\.md$/,
  /^src\/db\/migrations\/.*\.sql$/,
  /(^|\/)outside\//,
  /^sdk\/src\//,
  /\/fixtures\/.*\.(?!ts$)[^.]+$/,
  /\.gen\.ts$|lock\.json$/,
]

function isChecked(file: string): boolean {
  return (
    /\.(tsx?|mjs|cjs|js|sql|sh|pl|yaml|md)$|^bin\/[^.]+$/.test(file) &&
    !passed.some((path) => path.test(file))
  )
}

/** Whether a comment, one of its paragraphs or a description begins with "Of" in this line. */
function isHeading(file: string, line: string, before: string): boolean {
  if (file.endsWith('.md')) return false
  const [, code, mark] = /^(|.*\s)(\/\*\*|\*|\/\/|--|#) Of /.exec(line) ?? []
  // Below a line of the same comment it may be a part of a sentence.
  if (mark) return code?.trim() !== '' || !before.trim().startsWith(`${mark} `)
  return !/\.test\.tsx?$/.test(file) && /['"]Of /.test(line)
}
