// Dead letters of the task queue, each to be tried again.
import { useState } from 'react'
import type { DeadTask } from 'sdk'
import { listDeadTasks, retryDeadTask } from 'sdk-of-operators'
import { Button } from '../../components/button.tsx'
import { type Asked, DecisionDialog } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkList } from '../../components/operator/work-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { taskTexts as texts } from '../../messages/operator/work.ts'

const tasksKey = 'dead-tasks'

export default function DeadTasksPage() {
  const [asked, setAsked] = useState<Asked | null>(null)
  return (
    <>
      <WorkList
        {...texts}
        queryKey={tasksKey}
        read={async (query) => {
          const { tasks, next_cursor } = await answerOf(listDeadTasks({ query }))
          return { items: tasks, next_cursor }
        }}
        keyOf={({ id }) => String(id)}
      >
        {(task) => (
          <WorkCard
            title={task.kind}
            problem={task.last_error}
            actions={
              <Button size="sm" look="primary" onClick={() => setAsked(retryOf(task))}>
                {texts.retry}
              </Button>
            }
            facts={[
              [texts.key, task.key],
              [texts.attempts, String(task.attempts)],
              [texts.queued, formatMoment(task.created_at)],
              [texts.givenUp, formatMoment(task.dead_at)],
            ]}
          />
        )}
      </WorkList>
      {asked && (
        <DecisionDialog asked={asked} stale={[[tasksKey]]} onClose={() => setAsked(null)} />
      )}
    </>
  )
}

function retryOf({ id, kind }: DeadTask): Asked {
  return {
    title: texts.retryOf(kind),
    text: texts.retryText,
    action: texts.retry,
    done: texts.retryDone,
    force: null,
    reason: null,
    run: () => answerOf(retryDeadTask({ path: { task_id: id } })),
  }
}
