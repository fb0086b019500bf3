// Links in Markdown files lead to files that exist.
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

const link = /\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/g

function links(text: string): { line: number; target: string }[] {
  let fenced = false
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    if (fenced) return []
    return [...line.replaceAll(/`[^`]*`/g, '').matchAll(link)].flatMap((match) => {
      const target = (match[1] ?? match[2] ?? '').replace(/[#?].*$/, '')
      const elsewhere = target === '' || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)
      return elsewhere ? [] : [{ line: at + 1, target: decodeURI(target) }]
    })
  })
}
