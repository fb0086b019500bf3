// The files of deploy/ as their programs read them, and the variables that they set.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../../support/program.ts'

export const folder = join(root, 'deploy')

export function textOf(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

// biome-ignore lint/suspicious/noExplicitAny: other programs' formats, checked by their schemas.
type Document = Record<string, any>

/** Parsed with YAML's merge keys, as Compose does. */
export function composeFile(text = textOf('compose.yaml')): Document {
  return Object(parse(text, { merge: true }))
}

export function manifests(): Document[] {
  const files = readdirSync(join(folder, 'kubernetes')).sort()
  return files.flatMap((file) =>
    parseAllDocuments(textOf(join('kubernetes', file))).map((one): Document => {
      if (one.errors[0]) throw one.errors[0]
      return Object(one.toJS())
    }),
  )
}

/** The only manifest of a kind. */
export function manifest(kind: string): Document {
  const [found, ...more] = manifests().filter((one) => one.kind === kind)
  if (!found || more.length > 0) throw new Error(`deploy/kubernetes has not one ${kind}`)
  return found
}

/** The variables that each file sets for the service, by file. */
export function variablesSet(): Record<string, string[]> {
  const [container] = manifest('Deployment').spec.template.spec.containers
  const env: { name: string }[] = container.env
  return {
    Dockerfile: namesIn(textOf('Dockerfile').replaceAll(/^(#|ARG|RUN|HEALTHCHECK).*$/gm, '')),
    'compose.yaml': Object.keys(composeFile().services.node1.environment),
    'systemd/agent-registrar.service': [
      ...textOf('systemd/agent-registrar.service').matchAll(/^Environment=([A-Z0-9_]+)=/gm),
    ].map(([, name = '']) => name),
    'systemd/environment.example': namesIn(
      textOf('systemd/environment.example').replaceAll(/^#.*$/gm, ''),
    ),
    kubernetes: [...Object.keys(manifest('ConfigMap').data), ...env.map(({ name }) => name)],
  }
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/^(?:ENV)?\s*([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
}

/** The variables that the registries file of deploy/ reads. */
export function registryVariables(): string[] {
  const text = textOf('registries.yaml').replaceAll(/#.*$/gm, '')
  return [...text.matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name = '']) => name)
}
