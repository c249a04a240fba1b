// Goroutines on many threads, garbage collection, a child process, files, timers.
package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	board, err := os.ReadFile(os.Args[len(os.Args)-1])
	check(err)
	runtime.GOMAXPROCS(4)
	var total int64
	var group sync.WaitGroup
	for part := 0; part < 16; part++ {
		group.Add(1)
		go func(part int) {
			defer group.Done()
			for i := 0; i < 300000; i++ {
				atomic.AddInt64(&total, int64(i%(part+3)))
			}
			time.Sleep(time.Millisecond)
		}(part)
	}
	group.Wait()
	held := [][]byte{}
	for i := 0; i < 200; i++ {
		held = append(held, make([]byte, 1<<18))
		if i%50 == 49 {
			held = nil
		}
	}
	runtime.GC()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	check(syscall.Kill(os.Getpid(), syscall.SIGUSR1))
	select {
	case <-signals:
	case <-time.After(time.Second):
		log.Fatal("no signal")
	}
	child := exec.Command("cat")
	child.Stdin = strings.NewReader("child")
	out, err := child.Output()
	check(err)
	reader, writer, err := os.Pipe()
	check(err)
	go func() {
		writer.Write(out)
		writer.Close()
	}()
	piped, err := io.ReadAll(reader)
	check(err)
	folder, err := os.MkdirTemp("", "busy")
	check(err)
	check(os.WriteFile(filepath.Join(folder, "file"), board, 0o644))
	check(os.Rename(filepath.Join(folder, "file"), filepath.Join(folder, "new")))
	items, err := os.ReadDir(folder)
	check(err)
	check(os.RemoveAll(folder))
	random := make([]byte, 8)
	_, err = rand.Read(random)
	check(err)
	if string(piped) != "child" || len(items) != 1 || total == 0 || runtime.NumCPU() == 0 {
		log.Fatal("wrong")
	}
	fmt.Println("lluu")
}
