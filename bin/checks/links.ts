// Links in Markdown files, and the names of files in their backticks and in the comments of code,
// lead to files that exist.
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Complaint, Tree } from './tree.ts'

/**
 * Every relative link whose file is missing or is outside the project. Anchors are not followed.
 */
export function checkLinks(tree: Tree): Complaint[] {
  return tree.files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      links(tree.read(file)).flatMap(({ line, target }) => {
        const path = join(tree.root, target.startsWith('/') ? '.' : dirname(file), target)
        const outside = relative(tree.root, path).startsWith('..')
        if (outside) return [`${file}:${line} links to ${target}, outside the project`]
        return existsSync(path) ? [] : [`${file}:${line} links to ${target}, which is not there`]
      }),
    )
}

/**
 * Every source file or document that is named in backticks but is in no folder, and every folder
 * that a map names (a README, ARCHITECTURE.md) but that is not there. The beginning of a path may
 * be left out.
 */
export function checkFileNames(tree: Tree): Complaint[] {
  return tree.files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      unfenced(tree.read(file)).flatMap(({ line, text }) =>
        [...text.matchAll(fileName), ...(isMap(file) ? text.matchAll(folderName) : [])].flatMap(
          ([, name = '']) =>
            isThere(tree, name) || made_folders.test(name)
              ? []
              : [`${file}:${line} names ${name}, which is not there`],
        ),
      ),
    )
}

/** Every source file or document that a comment of TypeScript or SQL names but is in no folder. */
export function checkNamesInComments(tree: Tree): Complaint[] {
  return tree.files.flatMap((file) =>
    comments(tree, file).flatMap(({ line, text }) =>
      [...text.matchAll(fileInProse)].flatMap(([, name = '']) =>
        isThere(tree, name) ? [] : [`${file}:${line} names ${name}, which is not there`],
      ),
    ),
  )
}

type Line = { line: number; text: string }

function comments(tree: Tree, file: string): Line[] {
  if (/\.tsx?$/.test(file))
    return (tree.parse(file).comments ?? []).flatMap(({ value, loc }) =>
      value.split('\n').map((text, at) => ({ line: (loc?.start.line ?? 0) + at, text })),
    )
  if (!file.endsWith('.sql')) return []
  return tree
    .read(file)
    .split('\n')
    .flatMap((text, at) => {
      const comment = /--(.*)/.exec(text)?.[1]
      return comment === undefined ? [] : [{ line: at + 1, text: comment }]
    })
}

// The name must be neither a part of an address nor a name with a placeholder.
const fileInProse =
  /(?<![\w@./:<-])((?!up\.sql|\S*NNNN)(?:[\w@*.-]+\/)*[\w*.-]+\.(?:tsx?|sql|md))(?![\w/-])/g

// A folder is named by its last part, or by more of its path.
const folderName = /`(?![^`]*NNNN)((?:[\w@.-]+\/)+)`/g

/** Folders that a build or a start makes. */
const made_folders = /^(dist|pki)\/$/

function isMap(file: string): boolean {
  return /(^|\/)(README|ARCHITECTURE)\.md$/.test(file)
}

// `up.sql` stands for a future migration.
const fileName = /`(?!up\.sql`|[^`]*NNNN)([\w@./*-]*\w\.(?:ts|md|sql|yaml|sh))`/g

/**
 * A name stands for a file of any folder, a path for the end of a file's path, and `*` for any
 * part.
 */
function isThere(tree: Tree, name: string): boolean {
  const end = name
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
  const path = new RegExp(`(?:^|/)${end}${name.endsWith('/') ? '' : '$'}`)
  return tree.files.some((file) => path.test(file))
}

const link = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/g

function links(text: string): { line: number; target: string }[] {
  return unfenced(text).flatMap(({ line, text }) =>
    [...text.replaceAll(/`[^`]*`/g, '').matchAll(link)].flatMap((match) => {
      const target = (match[1] ?? match[2] ?? '').replace(/[#?].*$/, '')
      const elsewhere = target === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)
      return elsewhere ? [] : [{ line, target: decodeURI(target) }]
    }),
  )
}

/** The lines outside of fenced blocks, with their numbers. */
function unfenced(text: string): { line: number; text: string }[] {
  let fenced = false
  return text.split('\n').flatMap((text, at) => {
    if (/^\s*(```|~~~)/.test(text)) fenced = !fenced
    return fenced ? [] : [{ line: at + 1, text }]
  })
}
