// Error boundary: shows a message and a next step in place of a page that could not be rendered.
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { common } from '../messages/common-texts.ts'

type Props = { children: ReactNode }

export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    reportError(new Error(`A component failed:${info.componentStack ?? ''}`, { cause: error }))
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return (
      <div className="mx-auto flex max-w-lg flex-col gap-4 p-6">
        <h1 className="text-xl font-semibold">{common.failed.title}</h1>
        <ErrorNotice error={this.state.error} />
        <div>
          <Button look="primary" onClick={() => location.reload()}>
            {common.failed.reload}
          </Button>
        </div>
      </div>
    )
  }
}
