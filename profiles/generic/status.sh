#!/bin/sh
# What became of a PBS job: running, success or failed. A server that does not answer is asked again
# later; a job it has forgotten counts as failed, and is submitted again for what it did not make. So
# the server must remember finished jobs for a while (qmgr: set server job_history_enable = True).
told=$(qstat -x -f "$1" 2>&1)
case $told in
  *"job_state = F"*"Exit_status = 0"*) echo success ;;
  *"job_state = F"* | *"Unknown Job"*) echo failed ;;
  *) echo running ;;
esac
