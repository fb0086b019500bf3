// Machine-specific addresses: the files name no home folders, package registries or download
// addresses.
import type { Complaint, Tree } from './tree.ts'

const patterns: readonly { in: RegExp; found: RegExp; sentence: string }[] = [
  {
    in: /./,
    found: /(?<![\w.:/-])\/(root|work|Users\/[\w.-]+|home\/[\w.-]+)\//,
    sentence: 'names a folder of one machine',
  },
  {
    in: /./,
    found: /\b(registry\.(npmjs|yarnpkg)\.\w+|npm\.pkg\.github\.com|registry\.npmmirror\.com)\b/,
    sentence: 'names a package registry',
  },
  {
    in: /(^|\/)\.npmrc$/,
    found: /^\s*(@[^:]+:)?registry\s*=/,
    sentence: "chooses a package registry, which is the user's to choose",
  },
  {
    in: /(^|\/)package-lock\.json$/,
    found: /"resolved":/,
    sentence: 'records a download address; .npmrc should say omit-lockfile-registry-resolved=true',
  },
]

/** Every line that only holds on one machine. A file with a NUL is binary and passed over. */
export function checkAddresses(tree: Tree): Complaint[] {
  return tree.files.flatMap((file) => {
    const here = patterns.filter((pattern) => pattern.in.test(file))
    const text = tree.read(file)
    if (text.includes('\0')) return []
    return text
      .split('\n')
      .flatMap((line, at) =>
        here
          .filter(({ found }) => found.test(line))
          .map(({ sentence }) => `${file}:${at + 1} ${sentence}`),
      )
  })
}
